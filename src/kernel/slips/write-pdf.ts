// Writes slips as a PDF. Draws each box at the position that the layout gave it. Writing blocks the thread for a few
// hundred milliseconds, so it runs in a worker (print-worker.ts).

import PDFDocument from 'pdfkit';
import type { BandBox, Box, Line, LogoBox, QrBox, TextBox } from '../../platform/drawing/boxes.ts';
import { readFontTables, writeTrueType } from '../../platform/drawing/font-file.ts';
import { type FontName, readFontFile, type Typesetter } from '../../platform/drawing/fonts.ts';
import type { Outline } from '../../platform/drawing/outline-line.ts';
import { hasRightToLeft } from '../../platform/drawing/right-to-left.ts';
import { layOutPages, type Mark, type PrintedPage } from './page-layout.ts';
import type { PrintInput } from './printed-slip.ts';

const BLACK = '#000000';
const PT_PER_MM = 72 / 25.4;
const mm = (millimetres: number) => millimetres * PT_PER_MM;

export async function writePdf(input: PrintInput): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    // The empty name keeps PDFKit from loading its default font Helvetica, which no slip uses.
    font: '',
    lang: input.language,
    displayTitle: true,
    info: { Title: input.title, Producer: 'Gastpass', Creator: 'Gastpass' },
  });
  const written = collect(document);
  const { pages, typesetter } = await layOutPages(input);
  const outline = await loadOutlines(pages, typesetter);
  const pen = { document, typesetter, logos: input.logos, select: makeSelectFont(document), outline };
  for (const { width, height, slips, marks } of pages) {
    document.addPage({ size: [mm(width), mm(height)], margin: 0 });
    drawMarks(document, marks);
    for (const { x, y, boxes } of slips) {
      document.save().translate(mm(x), mm(y));
      for (const box of boxes) drawBox(pen, box);
      document.restore();
    }
  }
  document.end();
  return written;
}

interface Pen {
  document: PDFKit.PDFDocument;
  typesetter: Typesetter;
  logos: PrintInput['logos'];
  select(font: FontName, size: number): void;
  /** Draws a line with right-to-left letters. Undefined if no slip has one. */
  outline: ((box: TextBox, line: Line) => Outline) | undefined;
}

/** PDFKit neither orders nor joins right-to-left letters. The library that does is loaded only if a slip has some. */
async function loadOutlines(pages: PrintedPage[], typesetter: Typesetter): Promise<Pen['outline']> {
  const boxes = pages.flatMap(({ slips }) => slips.flatMap((slip) => slip.boxes));
  if (!boxes.some((box) => box.kind === 'text' && box.lines.some(({ text }) => hasRightToLeft(text))))
    return undefined;
  const { loadResvg } = await import('../../platform/drawing/resvg.ts');
  const { makeOutlineLine } = await import('../../platform/drawing/outline-line.ts');
  await loadResvg();
  const outlineLine = makeOutlineLine(typesetter);
  return (box, { text, width }) => outlineLine(text, { ...box, width });
}

/** A font is read and decompressed only if a slip needs it. */
function makeSelectFont(document: PDFKit.PDFDocument): Pen['select'] {
  const registered = new Set<FontName>();
  return function select(font, size) {
    if (!registered.has(font)) {
      document.registerFont(font, writeTrueType(readFontTables(readFontFile(font))));
      registered.add(font);
    }
    document.font(font, mm(size));
  };
}

function drawBox(pen: Pen, box: Box): void {
  if (box.kind === 'text')
    for (const line of box.lines) (hasRightToLeft(line.text) ? drawOutline : drawLine)(pen, box, line);
  else if (box.kind === 'qr') drawQrCode(pen, box);
  else if (box.kind === 'band') drawBand(pen, box);
  else drawLogo(pen, box);
}

/**
 * Draws a line, stretched or compressed to the width that the layout measured. The layout adds up the widths of the
 * letters, but in scripts such as Arabic the width of a word may differ from this sum.
 */
function drawLine(
  { document, typesetter, select }: Pen,
  { cut, size, colour = BLACK }: TextBox,
  line: Line,
): void {
  const runs = typesetter.splitRuns(line.text, cut).map((run) => {
    select(run.font, size);
    return { ...run, width: document.widthOfString(run.text) };
  });
  const natural = runs.reduce((sum, { width }) => sum + width, 0);
  const horizontalScaling = natural > 0 ? (100 * mm(line.width)) / natural : 100;
  const options = { lineBreak: false, baseline: 'alphabetic' as const, horizontalScaling };
  document.fillColor(colour);
  let left = mm(line.x);
  for (const { font, text, width } of runs) {
    select(font, size);
    document.text(text, left, mm(line.y), options);
    left += (width * horizontalScaling) / 100;
  }
}

function drawOutline({ document, outline }: Pen, box: TextBox, line: Line): void {
  const drawn = outline?.(box, line);
  if (!drawn) return;
  const { path, scale, indent } = drawn;
  document
    .save()
    .translate(mm(line.x + indent), mm(line.y))
    .transform(mm(scale.x), 0, 0, mm(scale.y), 0, 0)
    .path(path)
    .fill(box.colour ?? BLACK)
    .restore();
}

function drawBand({ document }: Pen, { x, y, width, height, radius, colour }: BandBox): void {
  document.roundedRect(mm(x), mm(y), mm(width), mm(height), mm(radius)).fill(colour);
}

function drawQrCode({ document }: Pen, { drawing, x, y, width }: QrBox): void {
  document
    .save()
    .translate(mm(x), mm(y))
    .scale(mm(width) / drawing.size)
    .path(drawing.path)
    .fill(BLACK)
    .restore();
}

/** The logo is passed as a string, because PDFKit then embeds it only once, even if many slips show it. */
function drawLogo({ document, logos }: Pen, { name, x, y, width, height }: LogoBox): void {
  const logo = logos.get(name);
  if (!logo) return;
  // The proportions of the box come from the header of the file. They are wrong for a photo that its EXIF data rotates,
  // so the image is fitted into the box without distortion.
  document.image(logo.source, mm(x), mm(y), {
    fit: [mm(width), mm(height)],
    align: 'center',
    valign: 'center',
  });
}

function drawMarks(document: PDFKit.PDFDocument, marks: Mark[]): void {
  document.lineWidth(0.4);
  for (const { from, to } of marks)
    document.moveTo(mm(from[0]), mm(from[1])).lineTo(mm(to[0]), mm(to[1])).stroke('#808080');
}

async function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
