// The page of a paired screen with a rolling code: the code as large as possible, the QR code of the Wi-Fi, and the
// steps. A script asks every two seconds whether the code has changed; without a script, the page reloads itself.

import { hash } from 'node:crypto';
import { guestLanguagesOf } from '../../../kernel/guest-language.ts';
import { PAGE_HEADERS, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { isDemo } from '../../../kernel/sites/site.ts';
import { joinText } from '../../../kernel/slips/join-text.ts';
import { makeSiteHead } from '../../../kernel/slips/site-head.ts';
import type { SiteSlip } from '../../../kernel/slips/slip.ts';
import { stepLines } from '../../../kernel/slips/step-texts.ts';
import { MESSAGES } from '../../../kernel/texts/messages.ts';
import { findSiteHead, showSiteHead } from '../../../kernel/vouchers/pages/site-head.ts';
import { demoPill, qrFigure } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import { namesTag } from '../../../platform/http/if-none-match.ts';
import { rollingScript, rollingStylesheet } from '../../../platform/pages/assets.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { Language } from '../../../platform/text/language.ts';
import { GUEST_PAGE_TEXTS } from '../../guest-pages/guest-page-texts.ts';
import { describeRollingCode } from '../drawing/prepare-code-picture.ts';
import type { RollingLook } from '../rolling-code.ts';
import { ROLLING_TEXTS } from '../rolling-texts.ts';
import { SCREEN_PATH } from '../screen.ts';
import type { ScreenContext, ScreenRoute } from './screen-context.ts';
import { screenProblem } from './screen-problem.ts';

const CODE_PATH = `${SCREEN_PATH}/code`;
const LOGO_PATH = `${CODE_PATH}/logo`;
/** How often the page reloads itself without a script. */
const RELOAD_S = 10;

export const rollingRoutes: ScreenRoute[] = [
  { method: 'GET', path: CODE_PATH, run: giveCode },
  { method: 'GET', path: LOGO_PATH, run: giveLogo },
];

async function lookAt({ app, screen }: ScreenContext): Promise<RollingLook | undefined> {
  const found = await app.rolling.find(screen.id);
  return found && app.lookAtRollingCode(found);
}

/** What the script compares with the code that the page shows. Another kind of screen has no code. */
async function giveCode(context: ScreenContext): Promise<Response> {
  const { app, hono, request, site } = context;
  const look = await lookAt(context);
  if (!look) return redirect(context, SCREEN_PATH);
  const slip = await app.slips.find(site.id);
  const profiles = look.voucher ? [] : await app.profiles.list();
  const body = JSON.stringify(describeRollingCode(look, { slip, profiles }));
  const etag = `"${hash('sha256', body, 'base64url').slice(0, 22)}"`;
  const headers = { etag, 'cache-control': 'private, no-cache' };
  request.isRoutine = true;
  if (namesTag(request.headers['if-none-match'] ?? '', etag)) return hono.body(null, 304, headers);
  return hono.body(body, 200, { ...headers, 'content-type': 'application/json; charset=utf-8' });
}

async function giveLogo(context: ScreenContext): Promise<Response> {
  const { hono, site } = context;
  const { logo } = await findSiteHead(context, { siteId: site.id, siteName: site.name });
  if (!logo) return redirect(context, SCREEN_PATH);
  return hono.body(new Uint8Array(logo.image.bytes), 200, {
    ...PAGE_HEADERS,
    'content-type': logo.image.type,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
}

export async function showRolling(asked: ScreenContext): Promise<Response> {
  const { app, settings, site } = asked;
  const look = await lookAt(asked);
  if (!look) return screenProblem(asked, 503);
  const slip = await app.slips.find(site.id);
  const [language, ...others] = guestLanguagesOf(slip.languages, settings.language);
  const context = { ...asked, language, messages: MESSAGES[language] };
  const text = ROLLING_TEXTS[language];
  const head = await makeSiteHead(settings, { siteId: site.id, siteName: site.name }, app.images.has);
  return renderPage(context, {
    title: text.title,
    isForGuest: true,
    sendsRequests: true,
    stylesheets: [rollingStylesheet],
    scripts: [rollingScript],
    guestHead: html`${showSiteHead(head, slip, () => LOGO_PATH)}`,
    message: html``,
    content: html`<noscript><meta http-equiv="refresh" content="${RELOAD_S}; url=${SCREEN_PATH}"></noscript>${band(slip)}
<div class="rolling" data-poll="${CODE_PATH}" data-code="${look.voucher ? formatCode(look.voucher.code) : ''}" data-state="${look.state}">
<section class="now"><h1>${text.title}</h1>${isDemo(site) && html`<p>${demoPill(context)}</p>`}${codeOf(context, look)}</section>
${wifiOf(context, slip)}
<section class="how">${[language, ...others].map((one) => stepsIn(one, slip))}</section></div>
<p class="lost" role="status" hidden>${text.offline}</p>`,
  });
}

function codeOf(context: ScreenContext, { state, voucher }: RollingLook): Html {
  const text = ROLLING_TEXTS[context.language];
  if (!voucher)
    return html`<p class="wait" role="status">${state === 'preparing' ? text.preparing : text.none}</p>`;
  const groups = formatCode(voucher.code).split('-');
  const shown = groups.map((group, at) => html`<span>${group}${at < groups.length - 1 && '-'}</span>`);
  return html`<strong class="code" aria-label="${text.code}" aria-live="polite">${shown}</strong>
<p class="allows">${sayAllowance(voucher, context)}</p><p class="sub">${text.newCode}</p>`;
}

function wifiOf(context: ScreenContext, slip: SiteSlip): Html | false {
  const { onPaper } = context.messages;
  const { wifiName, wifiPassword } = slip;
  const join = joinText(slip);
  if (wifiName === '') return false;
  return html`<section class="join">${join !== undefined && qrFigure(join, { label: GUEST_PAGE_TEXTS[context.language].joinQr, hint: context.messages.guest.joinHint })}
<dl><div><dt>${onPaper.wifi}</dt><dd>${wifiName}</dd></div>${wifiPassword !== null && html`<div><dt>${onPaper.password}</dt><dd class="password">${wifiPassword}</dd></div>`}</dl></section>`;
}

function stepsIn(language: Language, slip: SiteSlip): Html {
  return html`<div lang="${language}"><h2>${GUEST_PAGE_TEXTS[language].steps}</h2><ol>${stepLines(slip, language).map((step) => html`<li>${step}</li>`)}</ol></div>`;
}

/** A band in the colour of the site. Without text, so that every colour is possible. */
function band({ colour }: SiteSlip): Html | false {
  return (
    colour !== undefined &&
    html`<svg class="band" aria-hidden="true"><rect width="100%" height="100%" fill="${colour}"/></svg>`
  );
}
