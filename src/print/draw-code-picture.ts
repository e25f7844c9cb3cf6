// Draws the picture of a rolling code, as the file that a display fetches. Drawing and compressing a large picture takes
// more than 100 ms, so both run in a worker (print-worker.ts).

import { layOutCodePicture } from './code-picture.ts';
import { writeCodePictureSvg } from './code-picture-svg.ts';
import { drawDots, makeTools } from './draw-receipt.ts';
import { writePng } from './png.ts';
import type { CodePictureOrder } from './print-task.ts';

export async function drawCodePicture({ codePicture, form }: CodePictureOrder): Promise<Buffer> {
  if (form === 'svg') return Buffer.from(writeCodePictureSvg(codePicture));
  const tools = makeTools(new Map());
  const dots = await drawDots(tools, layOutCodePicture(tools.typesetter, codePicture));
  return writePng(dots, codePicture.width);
}
