// The frame of every page of a kiosk: the site with its picture, logo and colour, the languages and the content. No
// link leads out of the kiosk.

import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { guestLanguagesOf } from '../../../kernel/guest-language.ts';
import type { SiteId } from '../../../kernel/ids.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { renderPage } from '../../../kernel/pages/layout.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import { isDemo } from '../../../kernel/sites/site.ts';
import { makeSiteHead } from '../../../kernel/slips/site-head.ts';
import { FIRST_SLIP, isColour, type SiteSlip } from '../../../kernel/slips/slip.ts';
import { MESSAGES } from '../../../kernel/texts/messages.ts';
import { showSiteHead } from '../../../kernel/vouchers/pages/site-head.ts';
import { demoPill } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { colourStylesheetOf, kioskScript, screenStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { LANGUAGES, type Language } from '../../../platform/text/language.ts';
import { SCREEN_PATH } from '../screen.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';
import type { ScreenContext } from './screen-context.ts';

export const LOGO_PATH = `${SCREEN_PATH}/logo`;
export const PICTURE_PATH = `${SCREEN_PATH}/picture`;

/** If the script of the kiosk does not run, the browser reloads a form that nobody uses after this time. */
const RENEW_S = 300;
export const renewal = html`<noscript><meta http-equiv="refresh" content="${RENEW_S};url=${SCREEN_PATH}"></noscript>`;

/** What the pages of a kiosk show of its site. */
export interface KioskLook {
  head: Html;
  slip: SiteSlip;
  hasPicture: boolean;
  isDemo: boolean;
  /** Guests who have not chosen a language get the first one. */
  languages: [Language, ...Language[]];
}

interface KioskSite {
  id: SiteId;
  name: string;
  isDemo: boolean;
}

/** The look of the site, and the context in the language of the guest. */
export async function dress(asked: ScreenContext): Promise<{ context: ScreenContext; look: KioskLook }> {
  const { site } = asked;
  const look = await findLook(asked, { id: site.id, name: site.name, isDemo: isDemo(site) });
  return { context: inKioskLanguage(asked, look), look };
}

async function findLook({ app, settings }: PageContext, site: KioskSite): Promise<KioskLook> {
  const slip = await app.slips.find(site.id);
  const head = await makeSiteHead(settings, { siteId: site.id, siteName: site.name }, app.images.has);
  return {
    head: showSiteHead(head, slip, () => LOGO_PATH),
    slip,
    hasPicture: await app.images.has(`screen-${site.id}`),
    isDemo: site.isDemo,
    languages: offeredLanguages(slip, settings.language),
  };
}

/** The look of a page that is shown while the site cannot be read. */
export function plainLook({ settings }: PageContext): KioskLook {
  return {
    head: html`${icon('wifi')}<span>${settings.title}</span>`,
    slip: FIRST_SLIP,
    hasPicture: false,
    isDemo: false,
    languages: offeredLanguages(FIRST_SLIP, settings.language),
  };
}

/** The languages of the site's slips. If nobody has chosen any, guests can choose among all. */
function offeredLanguages(
  { languages }: SiteSlip,
  settingsLanguage: Language | null,
): [Language, ...Language[]] {
  const [first, ...others] = guestLanguagesOf(languages, settingsLanguage);
  if (languages && languages.length > 0) return [first, ...others];
  return [first, ...LANGUAGES.filter((language) => language !== first)];
}

/** The language that the guest has chosen, otherwise the first one of the site. That of the browser is ignored. */
function inKioskLanguage(context: ScreenContext, { languages }: KioskLook): ScreenContext {
  const chosen = context.form.get('lang') ?? context.query.get('lang');
  const language = languages.find((one) => one === chosen) ?? languages[0];
  return { ...context, language, messages: MESSAGES[language] };
}

interface KioskPage {
  title: string;
  content: Html;
  issues?: FieldIssues;
  status?: ContentfulStatusCode;
  headers?: Record<string, string>;
  /** The path of this page in another language. Undefined if guests cannot choose a language here. */
  languagesAt?: string;
  /** What the card of this page is for, as a class of the stylesheet. */
  kind: 'start' | 'result' | 'problem';
}

export function renderKiosk(
  context: PageContext,
  look: KioskLook,
  { content, languagesAt, kind, ...page }: KioskPage,
): Response {
  const { colour } = look.slip;
  const ownColour = colour !== undefined && isColour(colour) ? [colourStylesheetOf(colour)] : [];
  return renderPage(context, {
    ...page,
    isForGuest: true,
    sendsRequests: true,
    stylesheets: [screenStylesheet, ...ownColour],
    scripts: [kioskScript],
    guestHead: html``,
    message: html``,
    content: html`<div class="kiosk ${kind}"><div class="scene">${look.hasPicture ? html`<img class="picture" src="${PICTURE_PATH}" alt="">` : icon('wifi')}<p class="plate">${look.head}</p></div>
<div class="stage">${(languagesAt || look.isDemo) && html`<div class="top-line">${look.isDemo && demoPill(context)}${languagesAt && languageLinks(context, look, languagesAt)}</div>`}<section class="panel">${content}</section></div>${offlineNote(context)}</div>`,
  });
}

function languageLinks({ language }: PageContext, { languages }: KioskLook, path: string): Html | false {
  if (languages.length < 2) return false;
  return html`<nav class="languages" aria-label="${KIOSK_TEXTS[language].language}">${languages.map(
    (other) =>
      html`<a class="chip" href="${path}?lang=${other}" lang="${other}" hreflang="${other}"${other === language && html` aria-current="true"`}>${MESSAGES[other].language}</a>`,
  )}</nav>`;
}

/** The note that the script shows instead of the page while the service does not answer. */
function offlineNote({ language }: PageContext): Html {
  const text = KIOSK_TEXTS[language];
  return html`<div class="offline" role="alert" hidden><strong>${text.away}</strong><span>${text.awayWhat}</span></div>`;
}
