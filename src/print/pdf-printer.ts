// Writes PDFs in a worker thread, one at a time: a PDF occupies a CPU core for up to a second, and other requests must
// not wait for it.

import { Worker } from 'node:worker_threads';
import { makeSemaphore } from '../domain/semaphore.ts';
import type { PrintOrder } from './printed-slip.ts';

const PATIENCE_MS = 60_000;
const MAX_MEMORY_MB = 512;

/** Further orders are refused as busy, because each PDF may take seconds. */
const MAX_WAITING = 7;

export type PrintPdf = (order: PrintOrder) => Promise<Buffer | 'busy'>;

/** When the service stops, the PDF being written is cancelled and waiting orders are refused. */
export function makePdfPrinter({ stopping }: { stopping: AbortSignal }): PrintPdf {
  const semaphore = makeSemaphore({ places: 1, maxWaiting: MAX_WAITING });
  return async function printPdf(order) {
    if (!(await semaphore.acquire())) return 'busy';
    try {
      return stopping.aborted ? 'busy' : await writeAnyway(order, stopping);
    } finally {
      semaphore.release();
    }
  };
}

/** If writing fails, tries again without logos: a logo that cannot be drawn must not prevent printing. */
async function writeAnyway(order: PrintOrder, stopping: AbortSignal): Promise<Buffer> {
  try {
    return await writeInThread(order, stopping);
  } catch (error) {
    if (order.logos.size === 0 || stopping.aborted) throw error;
    return writeInThread({ ...order, logos: new Map() }, stopping);
  }
}

function writeInThread(order: PrintOrder, stopping: AbortSignal): Promise<Buffer> {
  const worker = new Worker(new URL(import.meta.resolve('#pdf-worker')), {
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const end = () => void worker.terminate();
  const timer = setTimeout(end, PATIENCE_MS);
  stopping.addEventListener('abort', end);
  return new Promise<Buffer>((resolve, reject) => {
    worker.once('message', (pdf: Uint8Array) => resolve(Buffer.from(pdf.buffer, pdf.byteOffset, pdf.length)));
    worker.once('error', reject);
    worker.once('exit', () => reject(new Error('the thread that writes PDFs ended without one')));
  }).finally(() => {
    clearTimeout(timer);
    stopping.removeEventListener('abort', end);
  });
}
