// The worker thread that prints. It writes one PDF and ends, or draws pictures until it is ended. The libraries and
// fonts that it loads are freed with the thread.

import { parentPort, workerData } from 'node:worker_threads';
import type { PictureOrder, PrintTask } from './print-task.ts';

const task: PrintTask = workerData;
if (task === 'pictures') {
  const { drawReceipt } = await import('../../features/printers/drawing/draw-receipt.ts');
  const { drawCodePicture } = await import('../../features/screens/drawing/draw-code-picture.ts');
  parentPort?.on('message', async (order: PictureOrder) => {
    // An error ends the thread. A picture that made the library fail may have damaged its memory.
    const drawn = 'codePicture' in order ? await drawCodePicture(order) : await drawReceipt(order);
    parentPort?.postMessage(drawn);
  });
} else {
  const { writePdf } = await import('../../kernel/slips/write-pdf.ts');
  parentPort?.postMessage(await writePdf(task.pdf));
}
