// The slips as HTML for printing from the browser. Each distinct QR code and logo is embedded once and then
// referenced, which keeps a page with 500 slips of one site small.

import { setImmediate } from 'node:timers/promises';
import type { Paper, PrintedSlip } from '../../../print/printed-slip.ts';
import { drawQr } from '../../../print/qr.ts';
import { type Html, html, trusted } from '../../ui/html.ts';
import type { Prepared } from './slips.ts';

/** Other requests may run after this many QR codes. */
const DRAWN_AT_ONCE = 20;
const SHORT_TEXT = 150;
const LOGO_BOX = { a4: [46, 9], receipt: [56, 14] } as const;

export async function paperOf({ slips, logos }: Prepared, paper: Paper): Promise<Html> {
  const codes = [...new Set(slips.map(({ qr }) => qr.text))];
  const drawings: Html[] = [];
  for (const [index, text] of codes.entries()) {
    if (index % DRAWN_AT_ONCE === 0) await setImmediate();
    const { size, path } = drawQr(text);
    drawings.push(
      html`<symbol id="qr-${index}" viewBox="0 0 ${size} ${size}">${trusted(`<path d="${path}"/>`)}</symbol>`,
    );
  }
  const numbers = new Map(codes.map((text, index) => [text, index]));
  return html`<svg class="hidden-text" aria-hidden="true">${drawings}${[...logos].map(([name, source]) => logoSymbol(name, source, paper))}</svg>
<div class="paper ${paper === 'a4' ? 'sheet' : `roll ${lengthOf(slips)}`}">${slips.map((slip) => article(slip, numbers.get(slip.qr.text) ?? 0, paper))}</div>`;
}

/** The stylesheet defines the page length of a receipt roll; slips with more content use a longer page. */
function lengthOf(slips: PrintedSlip[]): string {
  const letters = slips.map(({ wifi, text }) => [...wifi.map(({ value }) => value), text].join('').length);
  const most = Math.max(0, ...letters);
  if (most > SHORT_TEXT) return 'longest';
  return most > 0 || slips.some(({ logo }) => logo !== undefined) ? 'long' : '';
}

function logoSymbol(name: string, source: string, paper: Paper): Html {
  const [width, height] = LOGO_BOX[paper];
  return html`<symbol id="emblem-${name}" viewBox="0 0 ${width} ${height}"><image href="${source}" width="${width}" height="${height}" preserveAspectRatio="${paper === 'a4' ? 'xMinYMid' : 'xMidYMid'}"/></symbol>`;
}

function article(slip: PrintedSlip, qr: number, paper: Paper): Html {
  const { title, logo, site, name, code, allowance, wifi, text } = slip;
  const [width, height] = LOGO_BOX[paper];
  return html`<article class="slip"><div class="text">
${logo === undefined ? html`<p class="title">${title}</p>` : html`<svg class="emblem" role="img" aria-label="${title}" viewBox="0 0 ${width} ${height}"><use href="#emblem-${logo}"/></svg>`}
<p class="site">${site}</p><p>${name}</p>
<p class="code">${code}</p><p class="allowance">${allowance}</p>
${wifi.length > 0 && html`<dl>${wifi.map(({ label, value, isPassword }) => html`<div class="fact"><dt>${label}</dt><dd${isPassword && html` class="mono"`}>${value}</dd></div>`)}</dl>`}</div>
<figure><svg class="qr" role="img" aria-label="${slip.qr.caption}"><use href="#qr-${qr}"/></svg><figcaption>${slip.qr.caption}</figcaption></figure>
${text !== '' && html`<p class="own">${text}</p>`}</article>`;
}
