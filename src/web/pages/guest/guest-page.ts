// The page that a guest opens with a link, on the guest's own device and without a login: the code, the Wi-Fi and what
// to do. It never reloads itself: a device that is just joining the Wi-Fi would lose the page.

import { DatabaseUnavailable } from '../../../domain/database-unavailable.ts';
import { guestLanguagesOf } from '../../../domain/guest-language.ts';
import { GUEST_PATH } from '../../../domain/guest-pages/guest-link.ts';
import { LANGUAGES, type Language } from '../../../domain/language.ts';
import type { SiteSlip } from '../../../domain/sites/slip.ts';
import { zoneOf } from '../../../domain/vouchers/nights.ts';
import { endOfTimeS, formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import { stateOf, wasUsed } from '../../../domain/vouchers/voucher-state.ts';
import { sayAllowance, sayEndOfVoucher } from '../../../i18n/allowance.ts';
import { languageOf } from '../../../i18n/choose-language.ts';
import { sayRemaining } from '../../../i18n/durations.ts';
import { MESSAGES } from '../../../i18n/messages.ts';
import { stepLines } from '../../../i18n/steps.ts';
import { joinText } from '../../../print/join-text.ts';
import { makeSiteHead } from '../../../print/site-head.ts';
import { guestStylesheet, voucherStylesheet } from '../../http/assets.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { PAGE_HEADERS, renderPage } from '../../ui/layout.ts';
import { findSiteHead, showSiteHead } from '../vouchers/site-head.ts';
import { demoPill, qrFigure } from '../vouchers/voucher-details.ts';
import { guestProblem } from './guest-problem.ts';

/** The path of a logo follows the path of the page, so that whoever may see the page may see the logo. */
const LOGO = 'logo';

export async function serveGuestPage(context: PageContext): Promise<Response> {
  const { app, request } = context;
  const spoken = inLanguage(context, context.language);
  if (request.method !== 'GET' && request.method !== 'HEAD') return guestProblem(spoken, 'method');
  const [token = '', below, ...rest] = context.path.slice(GUEST_PATH.length + 1).split('/');
  const isKnown = rest.length === 0 && (below === undefined || below === LOGO);
  try {
    const opened = await app.openGuestPage(isKnown ? token : '', request.clientIp());
    if (below === undefined || opened.result !== 'opened') app.observeGuestPage(opened.result);
    if (opened.result !== 'opened') return guestProblem(spoken, opened.result);
    if (below === LOGO) return await giveLogo(spoken, opened.voucher);
    if (request.method === 'GET') await noteOpened(context, opened.voucher);
    return await show(context, opened.voucher);
  } catch (error) {
    if (!(error instanceof DatabaseUnavailable)) throw error;
    app.log.error({ requestId: request.id, err: error }, 'page failed');
    return guestProblem(spoken, 'away');
  }
}

/** If the time cannot be stored, the guest sees the page nevertheless. */
async function noteOpened({ app, nowMs, request }: PageContext, { id }: FoundVoucher): Promise<void> {
  await app.guestLinks
    .noteOpened(id, nowMs)
    .catch((error) => app.log.warn({ requestId: request.id, err: error }, 'the opening was not recorded'));
}

/** The language that the guest has chosen, otherwise that of the browser, otherwise `otherwise`. */
function inLanguage(context: PageContext, otherwise: Language): PageContext {
  const language = languageOf({
    chosen: context.query.get('lang') ?? undefined,
    fromSettings: null,
    accepted: context.request.headers['accept-language'],
    otherwise,
  });
  return { ...context, language, messages: MESSAGES[language] };
}

async function giveLogo(context: PageContext, voucher: FoundVoucher): Promise<Response> {
  const { logo } = await findSiteHead(context, voucher);
  if (!logo) return guestProblem(context, 'wrong');
  return context.hono.body(new Uint8Array(logo.image.bytes), 200, {
    ...PAGE_HEADERS,
    'content-type': logo.image.type,
    'content-security-policy': "default-src 'none'; sandbox; frame-ancestors 'none'",
  });
}

async function show(asked: PageContext, voucher: FoundVoucher): Promise<Response> {
  const slip = await asked.app.slips.find(voucher.siteId);
  const timeZone = zoneOf(voucher.siteTimeZone, asked.timeZone);
  const context = inLanguage(
    { ...asked, timeZone },
    guestLanguagesOf(slip.languages, asked.settings.language)[0],
  );
  const { guestPage: text } = context.messages;
  return renderPage(context, {
    title: text.title,
    isForGuest: true,
    stylesheets: [voucherStylesheet, guestStylesheet],
    guestHead: showSiteHead(
      await makeSiteHead(context.settings, voucher, asked.app.images.has),
      slip,
      () => `${context.path}/${LOGO}`,
    ),
    message: html``,
    content: html`${band(slip)}${languageLinks(context)}<section class="card hero"><h1>${text.title}</h1>
${voucher.isDemo && html`<p>${demoPill(context)}</p>`}<p>${stateLine(context, voucher)}</p>
<strong class="code" aria-label="${text.code}">${formatCode(voucher.code)}</strong>${copyButton(context, formatCode(voucher.code), text.copyCode)}</section>
<section class="card"><h2>${text.steps}</h2><ol class="guide">${stepLines(slip, context.language).map((step) => html`<li>${step}</li>`)}</ol>
${wifiFacts(context, slip)}${slip.text !== '' && html`<p class="own-text">${slip.text}</p>`}<p class="sub">${text.keepOpen}</p></section>
${qrCard(context, voucher, slip)}`,
  });
}

/** A band in the colour of the site, at the top of the page. Without text, so that every colour is possible. */
function band({ colour }: SiteSlip): Html | false {
  return (
    colour !== undefined &&
    html`<svg class="band" aria-hidden="true"><rect width="100%" height="100%" fill="${colour}"/></svg>`
  );
}

function languageLinks(context: PageContext): Html {
  const { language, messages } = context;
  return html`<nav class="languages" aria-label="${messages.guestPage.language}">${LANGUAGES.map(
    (other) =>
      html`<a class="chip" href="${linkWith(context, { lang: other })}" lang="${other}" hreflang="${other}"${other === language && html` aria-current="true"`}>${MESSAGES[other].language}</a>`,
  )}</nav>`;
}

/** The address of this page with other choices. What the guest has chosen before is kept. */
function linkWith({ path, query }: PageContext, choice: { lang?: Language; qr?: string }): string {
  const chosen = new URLSearchParams();
  for (const name of ['lang', 'qr'] as const) {
    const value = choice[name] ?? query.get(name);
    if (value) chosen.set(name, value);
  }
  return `${path}?${chosen}`;
}

/** Before the first use what the voucher allows, afterwards how long the guest can still use it. */
function stateLine(context: PageContext, voucher: FoundVoucher): Html {
  const { language, nowS, messages } = context;
  if (!wasUsed(voucher)) return html`${sayAllowance(voucher, context)}`;
  const { guestPage: text } = messages;
  const endS = endOfTimeS(voucher);
  const said =
    endS === null
      ? text.redeemedFor(messages.devices(voucher.maxUses))
      : text.left(sayRemaining(endS - nowS, language), sayEndOfVoucher(endS, voucher.siteTimeZone, context));
  return html`<span class="pill valid">${text.redeemed}</span> ${said}`;
}

function wifiFacts(context: PageContext, { wifiName, wifiPassword }: SiteSlip): Html | false {
  const { onPaper, guestPage: text } = context.messages;
  if (wifiName === '') return false;
  return html`<dl class="facts"><div><dt>${onPaper.wifi}</dt><dd><strong>${wifiName}</strong></dd></div>
${wifiPassword !== null && html`<div><dt>${onPaper.password}</dt><dd><strong class="code">${wifiPassword}</strong>${copyButton(context, wifiPassword, text.copyPassword)}</dd></div>`}</dl>`;
}

function copyButton({ messages }: PageContext, copied: string, label: string): Html {
  return html`<button class="button" type="button" hidden data-copy="${copied}" data-copied="${messages.guestPage.copied}">${icon('copy')}<span>${label}</span></button>`;
}

interface ShownQr {
  name: 'wifi' | 'code';
  text: string;
  label: string;
  hint: string;
}

/** One QR code at a time, so that a camera reads the right one. They are for a further device of the guest. */
function qrCard(context: PageContext, voucher: FoundVoucher, slip: SiteSlip): Html | false {
  const { guestPage: text } = context.messages;
  const join = joinText(slip);
  const qrs: ShownQr[] = [];
  if (join) qrs.push({ name: 'wifi', text: join, label: text.joinQr, hint: text.joinQrHint });
  if (stateOf(voucher, context.nowS) !== 'used-up')
    qrs.push({ name: 'code', text: voucher.code, label: text.codeQr, hint: text.codeQrHint });
  const shown = qrs.find(({ name }) => name === context.query.get('qr')) ?? qrs[0];
  if (!shown) return false;
  const others = html`<nav class="chips" aria-label="${text.qrs}">${qrs.map(
    ({ name }) =>
      html`<a class="chip" href="${linkWith(context, { qr: name })}#qr"${name === shown.name && html` aria-current="true"`}>${context.messages.result.qrNames[name]}</a>`,
  )}</nav>`;
  return html`<section class="card" id="qr">${qrs.length > 1 && others}${qrFigure(shown.text, shown)}</section>`;
}
