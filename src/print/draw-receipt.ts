// Draws a slip, a test page or a rolling code as a picture of dots. Drawing blocks the thread for about 40 ms, so it runs in a worker
// (print-worker.ts).

import { type Bitmap, DOTS_PER_MM } from './bitmap.ts';
import type { LogoBox } from './boxes.ts';
import { layOutCodePicture } from './code-picture.ts';
import { makeTypesetter } from './fonts.ts';
import type { ReceiptInput } from './print-task.ts';
import { type LaidOutReceipt, layOutReceipt } from './receipt-layout.ts';
import { loadResvg, withSvg } from './resvg.ts';
import type { Tools } from './slip-parts.ts';
import { writeSlipSvg } from './slip-svg.ts';
import { layOutTestPage } from './test-page-layout.ts';
import { type Pixels, toBitmap } from './to-bitmap.ts';

export async function drawReceipt(input: ReceiptInput): Promise<Bitmap> {
  await loadResvg();
  const { logos } = input;
  const tools: Tools = { typesetter: makeTypesetter(), logos, qrs: new Map(), dotsPerMm: DOTS_PER_MM };
  const laidOut = layOut(tools, input);
  const { svg, fonts } = writeSlipSvg(tools.typesetter, { ...laidOut, logos });
  const pixels = withSvg(svg, fonts, (drawing): Pixels => {
    const image = drawing.render();
    const { width, height, pixels: data } = image;
    image.free();
    return { width, height, data };
  });
  return toBitmap(pixels, logosOf(laidOut));
}

function layOut(tools: Tools, input: ReceiptInput): LaidOutReceipt {
  if ('receipt' in input) return layOutReceipt(tools, input.receipt);
  if ('testPage' in input) return layOutTestPage(tools, input.testPage);
  return layOutCodePicture(tools.typesetter, input.codePicture);
}

function logosOf({ boxes }: LaidOutReceipt): LogoBox[] {
  return boxes.filter((box) => box.kind === 'logo');
}
