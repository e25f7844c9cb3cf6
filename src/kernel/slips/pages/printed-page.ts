// Draws the pages of slips as SVG for the browser. All lengths are in millimetres. Each QR code and each logo is
// embedded only once and then referenced, so that a page with 500 slips stays small.

import { setImmediate } from 'node:timers/promises';
import type { Box, TextBox } from '../../../platform/drawing/boxes.ts';
import { isInWebFont } from '../../../platform/drawing/web-font.ts';
import { rollStylesheetPath } from '../../../platform/pages/assets.ts';
import { type Html, html, trusted } from '../../../platform/pages/ui/html.ts';
import { type Layout, layOutPages, type PlacedSlip, type PrintedPage } from '../page-layout.ts';
import type { Paper } from '../paper.ts';
import { PAPER_SHAPES } from '../papers.ts';
import type { Prepared } from '../prepare-slips.ts';
import type { PrintInput } from '../printed-slip.ts';

/** After this many pages, the drawing pauses so that other requests can run. */
const DRAWN_AT_ONCE = 5;

interface DrawnPages {
  layout: Layout;
  content: Html;
}

export async function drawPages(
  { slips, logos }: Prepared,
  { paper, usedLabels }: Pick<PrintInput, 'paper' | 'usedLabels'>,
): Promise<DrawnPages> {
  const layout = await layOutPages({ slips, logos, paper, usedLabels }, setImmediate);
  const shape = PAPER_SHAPES[paper];
  const isRoll = shape.kind === 'roll';
  const label = shape.kind === 'sheet' && !shape.isCut ? layout.cell : undefined;
  const pages = await drawn(layout.pages, { logos, isRoll, label });
  const content = html`${isRoll && slips.length > 0 && rollStylesheet(layout)}${pages}`;
  return { layout, content };
}

/** Draws each slip alone, without the sheet around it, for a preview. */
export async function drawSlip({ slips, logos }: Prepared, paper: Paper): Promise<DrawnPages> {
  const layout = await layOutPages({ slips, logos, paper }, setImmediate);
  const pages = layout.pages.flatMap(({ slips: placed }) =>
    placed.map((slip) => ({ ...layout.cell, slips: [{ ...slip, x: 0, y: 0 }], marks: [] })),
  );
  return { layout, content: await drawn(pages, { logos, isRoll: false }) };
}

/** The link to the stylesheet that sets the page size. On a roll, pages may have different heights. */
function rollStylesheet({ pages, cell }: Layout): Html {
  const heights = [...new Set(pages.map(({ height }) => height))];
  return html`<link rel="stylesheet" href="${rollStylesheetPath(cell.width, heights)}">`;
}

type Size = Layout['cell'];

interface Symbols {
  /** The size of a label, to show its edge on the screen. Undefined if the paper has no labels. */
  label: Size | undefined;
  qrs: Map<string, { id: string; size: number; path: string }>;
  logos: Map<string, { id: string; source: string }>;
}

async function drawn(
  pages: PrintedPage[],
  { logos, isRoll, label }: { logos: PrintInput['logos']; isRoll: boolean; label?: Size | undefined },
): Promise<Html> {
  const symbols: Symbols = {
    label,
    qrs: new Map(),
    logos: new Map([...logos].map(([name, { source }], index) => [name, { id: `logo-${index}`, source }])),
  };
  const content: Html[] = [];
  for (const [index, page] of pages.entries()) {
    if (index % DRAWN_AT_ONCE === 0) await setImmediate();
    content.push(pageSvg(page, symbols, isRoll ? `high-${page.height}` : 'sheet'));
  }
  return html`<svg class="hidden-text" aria-hidden="true">${[...symbols.qrs.values()].map(
    ({ id, size, path }) =>
      html`<symbol id="${id}" viewBox="0 0 ${size} ${size}">${trusted(`<path d="${path}"/>`)}</symbol>`,
  )}${[...symbols.logos.values()].map(
    ({ id, source }) =>
      html`<symbol id="${id}"><image href="${source}" width="100%" height="100%"/></symbol>`,
  )}</svg><div class="paper">${content}</div>`;
}

function pageSvg({ width, height, slips, marks }: PrintedPage, symbols: Symbols, name: string): Html {
  return html`<div class="page ${name}"><svg viewBox="0 0 ${short(width)} ${short(height)}" width="${short(width)}mm" height="${short(height)}mm">${
    marks.length > 0 &&
    html`<path class="marks" d="${marks.map(({ from, to }) => `M${from.map(short).join(' ')}L${to.map(short).join(' ')}`).join('')}"/>`
  }${slips.map((slip) => slipGroup(slip, symbols))}</svg></div>`;
}

function slipGroup({ slip, x, y, boxes }: PlacedSlip, symbols: Symbols): Html {
  const { label } = symbols;
  return html`<g class="slip" lang="${slip.language}" transform="translate(${short(x)} ${short(y)})">${label && html`<rect class="edge" width="${short(label.width)}" height="${short(label.height)}" rx="2"/>`}${boxes.map((box) => drawBox(box, slip.language, symbols))}</g>`;
}

function drawBox(box: Box, language: string, symbols: Symbols): Html | Html[] {
  if (box.kind === 'text') return textLines(box, language);
  const place = html`x="${short(box.x)}" y="${short(box.y)}" width="${short(box.width)}" height="${short(box.height)}"`;
  if (box.kind === 'band') return html`<rect ${place} rx="${box.radius}" fill="${box.colour}"/>`;
  const id = box.kind === 'logo' ? symbols.logos.get(box.name)?.id : qrSymbol(box, symbols);
  return html`<g role="img" aria-label="${box.label}" class="${box.kind}"><use href="#${id}" ${place}/></g>`;
}

function qrSymbol({ text, drawing }: Extract<Box, { kind: 'qr' }>, { qrs }: Symbols): string {
  const symbol = qrs.get(text) ?? { ...drawing, id: `qr-${qrs.size}` };
  qrs.set(text, symbol);
  return symbol.id;
}

/** If the browser uses another font for a line, the line is stretched to the width that the layout measured. */
function textLines({ role, cut, size, language, lines, colour }: TextBox, around: string): Html[] {
  const start = trusted(
    `<text class="${role} in-${cut}"${language !== undefined && language !== around ? ` lang="${language}"` : ''} font-size="${short(size)}"${colour === undefined ? '' : ` fill="${colour}"`}`,
  );
  return lines.map(({ text, x, y, width }) => {
    const length = isInWebFont(text) ? '' : ` textLength="${short(width)}" lengthAdjust="spacingAndGlyphs"`;
    return html`${start}${trusted(` x="${short(x)}" y="${short(y)}"${length}`)}>${text}</text>`;
  });
}

/** Rounds to hundredths of a millimetre. */
function short(millimetres: number): number {
  return Math.round(millimetres * 100) / 100;
}
