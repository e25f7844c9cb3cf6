// The result at a kiosk: the code in large digits, the QR codes and the steps. It is shown once, at an address of its
// own, and closes by itself.

import { createHmac } from 'node:crypto';
import type { VoucherId } from '../../../kernel/ids.ts';
import type { PageContext } from '../../../kernel/pages/context.ts';
import { redirect } from '../../../kernel/pages/layout.ts';
import { joinText } from '../../../kernel/slips/join-text.ts';
import { stepLines } from '../../../kernel/slips/step-texts.ts';
import { MESSAGES } from '../../../kernel/texts/messages.ts';
import { qrFigure } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { hashToken, isPathToken, makePathToken } from '../../../platform/secrets/token.ts';
import { RESULT_MS, SCREEN_PATH } from '../screen.ts';
import { KIOSK_TEXTS } from '../screen-texts.ts';
import { dress, type KioskLook, renderKiosk } from './kiosk-page.ts';
import type { ScreenContext, ScreenRoute } from './screen-context.ts';

const DONE_PATH = `${SCREEN_PATH}/done`;
const RESULT_S = RESULT_MS / 1_000;
/** In the address of a result that is not there yet: how often the page looks again, once a second. */
const LOOKS_LEFT = 'looks';
const MAX_LOOKS = 5;
/** Added to the address of the result if the mail could not be ordered. */
const NO_MAIL = 'mail=none';

export const kioskResultRoutes: ScreenRoute[] = [
  { method: 'GET', path: `${DONE_PATH}/:token`, run: showDone },
];

/**
 * The address of a result. The same `origin`, such as a form, leads to the same address. Only the device can compute
 * it: the key is derived from its cookie. Without `origin`, the address is random.
 */
export function resultPath({ formToken }: ScreenContext, origin: string | undefined): string {
  const token =
    origin === undefined
      ? makePathToken().token
      : createHmac('sha256', formToken).update(`result ${origin}`).digest('hex').slice(0, 32);
  return `${DONE_PATH}/${token}`;
}

/** As `resultPath`, for a result that another instance may not have stored yet: its page waits for some seconds. */
export function awaitedPath(context: ScreenContext, origin: string | undefined): string {
  return `${resultPath(context, origin)}?${LOOKS_LEFT}=${MAX_LOOKS}`;
}

/** Stores the result for one look, and leads the device to it. */
export async function leadToResult(
  context: ScreenContext,
  origin: string | undefined,
  { voucherId, isMailMissing }: { voucherId: VoucherId; isMailMissing: boolean },
): Promise<Response> {
  const { app, screen, language } = context;
  const path = resultPath(context, origin);
  const tokenHash = hashToken(path.slice(DONE_PATH.length + 1));
  await app.screens.addResult({ screenId: screen.id, tokenHash, voucherId, language });
  return redirect(context, `${path}${isMailMissing ? `?${NO_MAIL}` : ''}`);
}

async function showDone(asked: ScreenContext): Promise<Response> {
  const { app, screen, site, parameters, request, nowS } = asked;
  const { token = '' } = parameters;
  // A HEAD request shows nothing, so it must not use up the result.
  if (!isPathToken(token) || request.method !== 'GET') return redirect(asked, SCREEN_PATH);
  const result = await app.screens.takeResult(screen.id, hashToken(token));
  const found = result && { siteIds: [site.id], id: result.voucherId, limit: 1, nowS };
  const [voucher] = found ? (await app.finder.search(found)).vouchers : [];
  if (!result || !voucher) return showAwaited(asked);
  const { context, look } = await dress(asked);
  const { language } = result;
  const spoken = { ...context, language, messages: MESSAGES[language] };
  const isMailed = (await app.mails.newestOf([voucher.id])).size > 0;
  const isMissing = context.request.query === NO_MAIL;
  return showResult(spoken, look, {
    voucher,
    notes: {
      mail: isMailed ? 'sent' : isMissing ? 'not-sent' : undefined,
      isPrinted: (await app.printJobs.newestOf([voucher.id])).size > 0,
    },
  });
}

/** If the result was seen, or never comes, the page leads to the start. */
async function showAwaited(asked: ScreenContext): Promise<Response> {
  const looksLeft = Number(asked.query.get(LOOKS_LEFT));
  if (!(looksLeft > 0 && looksLeft <= MAX_LOOKS)) return redirect(asked, SCREEN_PATH);
  const { context, look } = await dress(asked);
  const { language, path } = context;
  return renderKiosk(context, look, {
    title: KIOSK_TEXTS[language].working,
    kind: 'problem',
    headers: { refresh: `1;url=${path}?${LOOKS_LEFT}=${Math.ceil(looksLeft) - 1}` },
    content: html`<h1>${KIOSK_TEXTS[language].working}</h1>`,
  });
}

/** What happened besides. */
interface KioskNotes {
  mail: 'sent' | 'not-sent' | undefined;
  isPrinted: boolean;
}

function showResult(
  context: PageContext,
  look: KioskLook,
  { voucher, notes }: { voucher: FoundVoucher; notes: KioskNotes },
): Response {
  const text = KIOSK_TEXTS[context.language];
  return renderKiosk(context, look, {
    title: text.ready,
    kind: 'result',
    headers: { refresh: `${RESULT_S};url=${SCREEN_PATH}` },
    content: html`<div class="code-part"><h1>${text.ready}</h1><strong class="code entered">${formatCode(voucher.code)}</strong>
<p class="lead">${sayAllowance(voucher, context)}</p>${noteLines(context, notes)}</div>
<div class="steps-part"><h2>${text.steps}</h2><ol class="guide">${stepLines(look.slip, context.language).map((step) => html`<li>${step}</li>`)}</ol>${wifiFacts(context, look)}
<p class="sub">${text.photo}</p></div>
${qrPart(context, voucher, look)}
<div class="end-part"><p class="countdown" data-seconds="${RESULT_S}" data-left="${text.left}">${text.closes(RESULT_S)}</p><div class="time-left" aria-hidden="true"><i></i></div>
<p class="actions"><a class="button primary" href="${SCREEN_PATH}">${text.done}</a></p></div>`,
  });
}

function noteLines({ language }: PageContext, { mail, isPrinted }: KioskNotes): Html {
  const text = KIOSK_TEXTS[language];
  return html`${mail === 'sent' && html`<p class="also">${icon('mail')}${text.mailed}</p>`}${mail === 'not-sent' && html`<p class="also">${icon('warning')}${text.notMailed}</p>`}${isPrinted && html`<p class="also">${icon('print')}${text.printed}</p>`}`;
}

function wifiFacts({ messages: { onPaper } }: PageContext, { slip }: KioskLook): Html | false {
  const { wifiName, wifiPassword } = slip;
  if (wifiName === '' || wifiPassword === null) return false;
  return html`<p class="wifi-password">${onPaper.password}: <strong class="code">${wifiPassword}</strong></p>`;
}

/** One QR code at a time, so that a camera reads the right one. The guest chooses without another request. */
function qrPart(context: PageContext, { code }: FoundVoucher, { slip }: KioskLook): Html {
  const text = KIOSK_TEXTS[context.language];
  const join = joinText(slip);
  const codeQr = qrFigure(code, { label: text.codeQr, hint: text.codeQrHint });
  if (join === undefined) return html`<div class="qr-part">${codeQr}</div>`;
  return html`<div class="qr-part two"><div class="chips" role="radiogroup" aria-label="${text.qrs}"><label class="chip"><input type="radio" name="qr" id="qr-wifi" checked><span>1. ${text.wifiQr}</span></label><label class="chip"><input type="radio" name="qr" id="qr-code"><span>2. ${text.codeQr}</span></label></div>
${qrFigure(join, { label: text.wifiQr, hint: text.wifiQrHint })}${codeQr}</div>`;
}
