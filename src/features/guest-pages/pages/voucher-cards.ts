// The parts of pages for guests: the voucher with its steps and QR codes, the languages and the colour of the site.

import type { PageContext } from '../../../kernel/pages/context.ts';
import { joinText } from '../../../kernel/slips/join-text.ts';
import type { SiteSlip } from '../../../kernel/slips/slip.ts';
import { stepLines } from '../../../kernel/slips/step-texts.ts';
import { MESSAGES } from '../../../kernel/texts/messages.ts';
import { demoPill, qrFigure } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { sayAllowance, sayEndOfVoucher } from '../../../kernel/vouchers/texts/allowance.ts';
import { endOfTimeS, formatCode } from '../../../kernel/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { stateOf, wasUsed } from '../../../kernel/vouchers/voucher-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { LANGUAGES, type Language } from '../../../platform/text/language.ts';
import { languageOf } from '../../../platform/texts/choose-language.ts';
import { sayRemaining } from '../../../platform/texts/durations.ts';
import { GUEST_PAGE_TEXTS } from '../guest-page-texts.ts';

/** The language that the guest has chosen, otherwise that of the browser, otherwise `otherwise`. */
export function inGuestLanguage(context: PageContext, otherwise: Language): PageContext {
  const language = languageOf({
    chosen: context.query.get('lang') ?? undefined,
    fromSettings: null,
    accepted: context.request.headers['accept-language'],
    otherwise,
  });
  return { ...context, language, messages: MESSAGES[language] };
}

export function voucherCards(context: PageContext, voucher: FoundVoucher, slip: SiteSlip): Html {
  const text = GUEST_PAGE_TEXTS[context.language];
  return html`<section class="card hero"><h1>${text.title}</h1>
${voucher.isDemo && html`<p>${demoPill(context)}</p>`}<p>${stateLine(context, voucher)}</p>
<strong class="code" aria-label="${text.code}">${formatCode(voucher.code)}</strong>${copyButton(context, formatCode(voucher.code), text.copyCode)}</section>
<section class="card"><h2>${text.steps}</h2><ol class="guide">${stepLines(slip, context.language).map((step) => html`<li>${step}</li>`)}</ol>
${wifiFacts(context, slip)}${slip.text !== '' && html`<p class="own-text">${slip.text}</p>`}<p class="sub">${text.keepOpen}</p></section>
${qrCard(context, voucher, slip)}`;
}

/** A band in the colour of the site, at the top of the page. Without text, so that every colour is possible. */
export function band({ colour }: SiteSlip): Html | false {
  return (
    colour !== undefined &&
    html`<svg class="band" aria-hidden="true"><rect width="100%" height="100%" fill="${colour}"/></svg>`
  );
}

export function languageLinks(context: PageContext): Html {
  const { language } = context;
  return html`<nav class="languages" aria-label="${GUEST_PAGE_TEXTS[language].language}">${LANGUAGES.map(
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
  const text = GUEST_PAGE_TEXTS[language];
  const endS = endOfTimeS(voucher);
  const said =
    endS === null
      ? text.redeemedFor(messages.devices(voucher.maxUses))
      : text.left(sayRemaining(endS - nowS, language), sayEndOfVoucher(endS, voucher.siteTimeZone, context));
  return html`<span class="pill valid">${text.redeemed}</span> ${said}`;
}

function wifiFacts(context: PageContext, { wifiName, wifiPassword }: SiteSlip): Html | false {
  const { onPaper } = context.messages;
  if (wifiName === '') return false;
  return html`<dl class="facts"><div><dt>${onPaper.wifi}</dt><dd><strong>${wifiName}</strong></dd></div>
${wifiPassword !== null && html`<div><dt>${onPaper.password}</dt><dd><strong class="code">${wifiPassword}</strong>${copyButton(context, wifiPassword, GUEST_PAGE_TEXTS[context.language].copyPassword)}</dd></div>`}</dl>`;
}

function copyButton({ language }: PageContext, copied: string, label: string): Html {
  return html`<button class="button" type="button" hidden data-copy="${copied}" data-copied="${GUEST_PAGE_TEXTS[language].copied}">${icon('copy')}<span>${label}</span></button>`;
}

interface ShownQr {
  name: 'wifi' | 'code';
  text: string;
  label: string;
  hint: string;
}

/** One QR code at a time, so that a camera reads the right one. They are for a further device of the guest. */
function qrCard(context: PageContext, voucher: FoundVoucher, slip: SiteSlip): Html | false {
  const text = GUEST_PAGE_TEXTS[context.language];
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
