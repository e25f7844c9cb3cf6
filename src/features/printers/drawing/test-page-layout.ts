// Lays out the test page of a receipt printer. It shows whether the roll has the width that is set, and whether all
// letters and QR codes come out. All lengths are in millimetres.

import type { Tools } from '../../../kernel/slips/slip-parts.ts';
import { DOTS_PER_MM, ROLL_DOTS } from '../../../platform/drawing/bitmap.ts';
import {
  type BandBox,
  type Block,
  band,
  row,
  space,
  stack,
  textBlock,
} from '../../../platform/drawing/boxes.ts';
import type { Cut } from '../../../platform/drawing/fonts.ts';
import { drawQr, QR_BORDER } from '../../../platform/drawing/qr.ts';
import type { RollWidth } from '../printer.ts';
import { contentWidth, EDGE, type LaidOutReceipt, place } from './receipt-layout.ts';

export interface TestPage {
  paper: RollWidth;
  language: string;
  title: string;
  printer: string;
  site: string;
  /** Single lines below the names. */
  facts: string[];
  /** What the ruler is for. */
  rulerHint: string;
  qr: string;
}

const BLACK = '#000000';
const WHITE = '#ffffff';
const LETTERS = 'ÄÖÜ äöü ß € é à ñ å ø ł č\nΕλληνικά · Кириллица\nالعربية · עברית';
/** The dots of a module of the QR code. */
const MODULE_DOTS = 9;
const DOT = 1 / DOTS_PER_MM;
const LINE = 2 * DOT;

export function layOutTestPage(tools: Tools, page: TestPage): LaidOutReceipt {
  const width = contentWidth(page.paper);
  const isNarrow = page.paper === 58;
  const line = (content: string, size: number, cut: Cut = 'plain', colour = BLACK) =>
    textBlock(tools.typesetter, content, {
      ...{ role: 'text', width, align: 'center', language: page.language, cut, colour, maxLines: 3 },
      size: isNarrow ? 0.85 * size : size,
    });
  return place(
    stack([
      band(line(page.title, 5.5, 'bold', WHITE), { width, padding: { x: 0, y: 1 }, colour: BLACK }),
      space(3),
      line(page.printer, 6, 'bold'),
      line(page.site, 4.2),
      space(2),
      ...page.facts.map((fact) => line(fact, 3.6)),
      space(3),
      line(LETTERS, 3.6),
      space(3),
      qrBlock(page.qr, width),
      space(3),
      ruler(tools, page.paper),
      space(1),
      line(page.rulerHint, 3.2),
    ]),
    page.paper,
  );
}

function qrBlock(text: string, width: number): Block {
  const drawing = drawQr(text);
  const [side, quiet] = [drawing.size, QR_BORDER].map((modules) => (modules * MODULE_DOTS) / DOTS_PER_MM);
  const own = side ?? 0;
  const height = own - 2 * (quiet ?? 0);
  return {
    height,
    at: (x, y) => [
      {
        ...{ kind: 'qr', text, drawing, label: text, width: own, height: own },
        ...{ x: x + (width - own) / 2, y: y - (quiet ?? 0) },
      },
    ],
  };
}

/** A ruler over the whole printable width. Its first and its last line are the outermost dots. */
function ruler({ typesetter }: Tools, paper: RollWidth): Block {
  const whole = ROLL_DOTS[paper] / DOTS_PER_MM;
  const lengthAt = (mm: number) => (mm % 10 === 0 ? 4 : mm % 5 === 0 ? 3 : 2);
  const marks = Array.from({ length: whole + 1 }, (_, mm) => ({ mm, height: lengthAt(mm) }));
  const box = (area: Omit<BandBox, 'kind' | 'colour' | 'radius'>): BandBox => ({
    ...{ kind: 'band', colour: BLACK, radius: 0 },
    ...area,
  });
  const lines: Block = {
    height: 4,
    at: (x, y) => [
      box({ x: x - EDGE, y, width: whole, height: LINE }),
      ...marks.map(({ mm, height }) =>
        box({ x: x - EDGE + Math.min(mm, whole - LINE), y, width: LINE, height }),
      ),
    ],
  };
  const numbers = marks
    .filter(({ mm }) => mm % 10 === 0 && mm > 0)
    .map(({ mm }) => ({
      block: textBlock(typesetter, String(mm), {
        ...{ role: 'text', width: 8, align: 'center', cut: 'plain', size: 2.8 },
      }),
      x: mm - EDGE - 4,
    }));
  return stack([lines, row(numbers)]);
}
