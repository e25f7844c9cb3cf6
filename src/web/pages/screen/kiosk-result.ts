// The result at a kiosk: the code in large digits, the QR codes and the steps. It closes by itself.

import { RESULT_MS, SCREEN_PATH } from '../../../domain/screens/screen.ts';
import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import { sayAllowance } from '../../../i18n/allowance.ts';
import { stepLines } from '../../../i18n/steps.ts';
import { joinText } from '../../../print/join-text.ts';
import type { PageContext } from '../../http/context.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { qrFigure } from '../vouchers/voucher-details.ts';
import { type KioskLook, renderKiosk } from './kiosk-page.ts';

const RESULT_S = RESULT_MS / 1_000;

/** What happened besides. */
export interface KioskNotes {
  mail: 'sent' | 'not-sent' | undefined;
  isPrinted: boolean;
}

export function showKioskResult(
  context: PageContext,
  look: KioskLook,
  { voucher, notes }: { voucher: FoundVoucher; notes: KioskNotes },
): Response {
  const { screen: text } = context.messages;
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

function noteLines({ messages: { screen: text } }: PageContext, { mail, isPrinted }: KioskNotes): Html {
  return html`${mail === 'sent' && html`<p class="also">${icon('mail')}${text.mailed}</p>`}${mail === 'not-sent' && html`<p class="also">${icon('warning')}${text.notMailed}</p>`}${isPrinted && html`<p class="also">${icon('print')}${text.printed}</p>`}`;
}

function wifiFacts({ messages: { onPaper } }: PageContext, { slip }: KioskLook): Html | false {
  const { wifiName, wifiPassword } = slip;
  if (wifiName === '' || wifiPassword === null) return false;
  return html`<p class="wifi-password">${onPaper.password}: <strong class="code">${wifiPassword}</strong></p>`;
}

/** One QR code at a time, so that a camera reads the right one. The guest chooses without another request. */
function qrPart(context: PageContext, { code }: FoundVoucher, { slip }: KioskLook): Html {
  const { screen: text } = context.messages;
  const join = joinText(slip);
  const codeQr = qrFigure(code, { label: text.codeQr, hint: text.codeQrHint });
  if (join === undefined) return html`<div class="qr-part">${codeQr}</div>`;
  return html`<div class="qr-part two"><div class="chips" role="radiogroup" aria-label="${text.qrs}"><label class="chip"><input type="radio" name="qr" id="qr-wifi" checked><span>1. ${text.wifiQr}</span></label><label class="chip"><input type="radio" name="qr" id="qr-code"><span>2. ${text.codeQr}</span></label></div>
${qrFigure(join, { label: text.wifiQr, hint: text.wifiQrHint })}${codeQr}</div>`;
}
