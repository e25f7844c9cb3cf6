// The worker thread that prints. It writes one PDF and ends, or draws receipts until it is ended. The libraries and fonts
// that it loads are freed with the thread.

import { parentPort, workerData } from 'node:worker_threads';
import type { PrintTask, ReceiptInput } from './print-task.ts';

const task: PrintTask = workerData;
if (task === 'receipts') {
  const { drawReceipt } = await import('./draw-receipt.ts');
  parentPort?.on('message', async (input: ReceiptInput) => {
    // An error ends the thread. A picture that made the library fail may have damaged its memory.
    parentPort?.postMessage(await drawReceipt(input));
  });
} else {
  const { writePdf } = await import('./write-pdf.ts');
  parentPort?.postMessage(await writePdf(task.pdf));
}
