// Writes slips as a PDF: A4 sheets with cut marks, or one 80 mm wide page per slip, as high as the slip. Blocks the
// thread for a few hundred milliseconds, so it runs in a worker (pdf-worker.ts).

import PDFDocument from 'pdfkit';
import { makeSlipDrawing, PT_PER_MM, ROLL_WIDTH_MM, type SlipDrawing, type SlipPen } from './draw-slip.ts';
import { registerFonts } from './fonts.ts';
import type { PrintOrder } from './printed-slip.ts';
import { A4, cornerOf, cutMarks, type Grid, gridFor } from './sheet.ts';

export async function writePdf({ slips, logos, paper, title, language }: PrintOrder): Promise<Buffer> {
  const document = new PDFDocument({
    autoFirstPage: false,
    lang: language,
    displayTitle: true,
    info: { Title: title, Producer: 'Gastpass', Creator: 'Gastpass' },
  });
  const written = collect(document);
  const pen: SlipPen = { document, paper, splitRuns: registerFonts(document), logos, qrs: new Map() };
  const drawings = slips.map((slip) => makeSlipDrawing(pen, slip));
  if (paper === 'a4') drawSheets(document, drawings);
  else drawRoll(document, drawings);
  document.end();
  return written;
}

function drawSheets(document: PDFKit.PDFDocument, drawings: SlipDrawing[]): void {
  const grid = gridFor(drawings.reduce((tallest, { heightMm }) => Math.max(tallest, heightMm), 0));
  for (const [index, drawing] of drawings.entries()) {
    const place = index % grid.perSheet;
    if (place === 0) {
      addPage(document, A4);
      drawMarks(document, grid);
    }
    const [x, y] = cornerOf(grid, place);
    drawing.draw(x, y, grid.slip.heightMm);
  }
}

function drawRoll(document: PDFKit.PDFDocument, drawings: SlipDrawing[]): void {
  for (const { heightMm, draw } of drawings) {
    addPage(document, { widthMm: ROLL_WIDTH_MM, heightMm });
    draw(0, 0);
  }
}

function addPage(
  document: PDFKit.PDFDocument,
  { widthMm, heightMm }: { widthMm: number; heightMm: number },
): void {
  document.addPage({ size: [widthMm * PT_PER_MM, heightMm * PT_PER_MM], margin: 0 });
}

function drawMarks(document: PDFKit.PDFDocument, grid: Grid): void {
  document.lineWidth(0.4);
  for (const { from, to } of cutMarks(grid))
    document
      .moveTo(from[0] * PT_PER_MM, from[1] * PT_PER_MM)
      .lineTo(to[0] * PT_PER_MM, to[1] * PT_PER_MM)
      .stroke('#808080');
}

async function collect(document: PDFKit.PDFDocument): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of document) parts.push(Buffer.from(part));
  return Buffer.concat(parts);
}
