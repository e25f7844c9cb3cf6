// Draws a slip or a test page as a picture of dots. Drawing blocks the thread for about 40 ms, so it runs in a worker
// (print-worker.ts).

import type { Tools } from '../../../kernel/slips/slip-parts.ts';
import { writeSlipSvg } from '../../../kernel/slips/slip-svg.ts';
import { type Bitmap, DOTS_PER_MM } from '../../../platform/drawing/bitmap.ts';
import type { LogoBox } from '../../../platform/drawing/boxes.ts';
import { makeTypesetter } from '../../../platform/drawing/fonts.ts';
import type { ReceiptInput } from '../../../platform/drawing/print-task.ts';
import { loadResvg, withSvg } from '../../../platform/drawing/resvg.ts';
import { type Pixels, toBitmap } from '../../../platform/drawing/to-bitmap.ts';
import { type LaidOutReceipt, layOutReceipt } from './receipt-layout.ts';
import { layOutTestPage } from './test-page-layout.ts';

export async function drawReceipt(input: ReceiptInput): Promise<Bitmap> {
  const tools = makeTools(input.logos);
  const laidOut =
    'receipt' in input ? layOutReceipt(tools, input.receipt) : layOutTestPage(tools, input.testPage);
  return drawDots(tools, laidOut);
}

export function makeTools(logos: Tools['logos']): Tools {
  return { typesetter: makeTypesetter(), logos, qrs: new Map(), dotsPerMm: DOTS_PER_MM };
}

export async function drawDots({ typesetter, logos }: Tools, laidOut: LaidOutReceipt): Promise<Bitmap> {
  await loadResvg();
  const { svg, fonts } = writeSlipSvg(typesetter, { ...laidOut, logos });
  const pixels = withSvg(svg, fonts, (drawing): Pixels => {
    const image = drawing.render();
    const { width, height, pixels: data } = image;
    image.free();
    return { width, height, data };
  });
  return toBitmap(pixels, logosOf(laidOut));
}

function logosOf({ boxes }: LaidOutReceipt): LogoBox[] {
  return boxes.filter((box) => box.kind === 'logo');
}
