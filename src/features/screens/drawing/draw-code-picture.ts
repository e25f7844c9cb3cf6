// Draws the picture of a rolling code, as the file that a display fetches. Drawing and compressing a large picture
// takes more than 100 ms, so both run in a worker (print-worker.ts).

import { writePng } from '../../../platform/drawing/png.ts';
import type { CodePictureOrder } from '../../../platform/drawing/print-task.ts';
import { drawDots, makeTools } from '../../printers/drawing/draw-receipt.ts';
import { layOutCodePicture } from './code-picture.ts';
import { writeCodePictureSvg } from './code-picture-svg.ts';

export async function drawCodePicture({ codePicture, form }: CodePictureOrder): Promise<Buffer> {
  if (form === 'svg') return Buffer.from(writeCodePictureSvg(codePicture));
  const tools = makeTools(new Map());
  const dots = await drawDots(tools, layOutCodePicture(tools.typesetter, codePicture));
  return writePng(dots, codePicture.width);
}
