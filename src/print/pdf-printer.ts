// Has PDFs written beside the service, one at a time: writing one takes a core for up to a second, and the
// requests of others must not wait for it.

import { Worker } from 'node:worker_threads';
import type { PrintOrder } from './printed-slip.ts';

const PATIENCE_MS = 60_000;
const MOST_MEMORY_MB = 512;

export type PrintPdf = (order: PrintOrder) => Promise<Buffer>;

export function makePdfPrinter(): PrintPdf {
  let last: Promise<unknown> = Promise.resolve();
  return function printPdf(order) {
    const printed = last.then(() => writeAnyway(order));
    last = printed.catch(() => undefined);
    return printed;
  };
}

/** A picture that looks whole and cannot be drawn must not keep vouchers from paper. */
async function writeAnyway(order: PrintOrder): Promise<Buffer> {
  try {
    return await writeInThread(order);
  } catch (error) {
    if (order.logos.size === 0) throw error;
    return writeInThread({ ...order, logos: new Map() });
  }
}

function writeInThread(order: PrintOrder): Promise<Buffer> {
  const worker = new Worker(new URL('pdf-worker.ts', import.meta.url), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MOST_MEMORY_MB },
  });
  const timer = setTimeout(() => worker.terminate(), PATIENCE_MS);
  return new Promise<Buffer>((resolve, reject) => {
    worker.once('message', (pdf: Uint8Array) => resolve(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length)));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that writes PDFs ended without one')));
  }).finally(() => clearTimeout(timer));
}
