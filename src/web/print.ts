// Vouchers on paper: an A4 sheet to be cut, or slips of 80 mm. A design of its own, black on white.

import type { AccessLimits } from '../domain/controller.ts';
import { formatCode } from '../domain/vouchers/voucher.ts';
import type { Answer } from '../http/exchange.ts';
import { html } from './html.ts';
import { icon } from './icons.ts';
import { answerPage } from './layout.ts';
import type { UserVisit } from './visit.ts';
import { qrOf, sayAllowance } from './voucher-parts.ts';

export interface Slip extends AccessLimits {
  siteName: string;
  /** Tells slips apart that lie on one desk. */
  name: string;
  code: string;
}

export function printPage(visit: UserVisit, { back, slips }: { back: string; slips: Slip[] }): Answer {
  const { words, path, query } = visit;
  const isSlip = query.get('paper') === 'slip';
  const choice = (paper: string, label: string, isChosen: boolean) =>
    html`<a class="chip" href="${path}?paper=${paper}"${isChosen && html` aria-current="true"`}>${label}</a>`;
  return answerPage(visit, {
    title: words.print.title,
    content: html`<div class="screen-only"><h1>${words.print.title}</h1>
<div class="actions"><div class="chips">${choice('sheet', words.print.sheet, !isSlip)}${choice('slip', words.print.slip, isSlip)}</div>
<button class="button primary" type="button" hidden data-print>${icon('print')}${words.print.now}</button>
<a class="button" href="${back}">${words.print.back}</a></div></div>
<div class="paper ${isSlip ? 'roll' : 'sheet'}">${slips.map(
      (
        slip,
      ) => html`<article class="slip"><div><p class="site">${slip.siteName}</p><p>${words.print.wifi} · ${slip.name}</p>
<p class="code">${formatCode(slip.code)}</p><p>${sayAllowance(slip, visit)}</p></div>
${qrOf(slip.code, words.result.qr)}</article>`,
    )}</div>`,
  });
}
