// Writes PDFs in a worker thread, one at a time, so that other requests do not wait while a PDF is written. Users take
// turns, so that a user who orders many PDFs does not delay the PDFs of other users for long.

import { Worker } from 'node:worker_threads';
import { makeFairQueue } from '../../platform/concurrency/fair-queue.ts';
import type { PrintTask } from '../../platform/drawing/print-task.ts';
import type { UserId } from '../ids.ts';
import type { PrintInput } from './printed-slip.ts';

const PATIENCE_MS = 60_000;
const MAX_MEMORY_MB = 512;

/** The maximum number of waiting orders. If it is exceeded, an order is refused, because each PDF may take seconds. */
const MAX_WAITING = 7;

export type PrintPdf = (input: PrintInput, userId: UserId) => Promise<Buffer | 'busy'>;

interface Deps {
  /** When the service stops, the PDF being written is cancelled and waiting orders are refused. */
  stopping: AbortSignal;
  write?: (input: PrintInput, stopping: AbortSignal) => Promise<Buffer>;
}

export function makePdfPrinter({ stopping, write = writeInThread }: Deps): PrintPdf {
  const waiting = makeFairQueue<(outcome: 'started' | 'busy') => void>();
  let isWriting = false;

  return async function printPdf(input, userId) {
    if (isWriting && (await waitForTurn(String(userId))) === 'busy') return 'busy';
    isWriting = true;
    try {
      return stopping.aborted ? 'busy' : await writeAnyway(input);
    } finally {
      // `isWriting` stays true while the next waiting order starts, so that a new order cannot start before it.
      const next = waiting.shift();
      if (next) next('started');
      else isWriting = false;
    }
  };

  /** If the queue is full, the user with the most orders loses the newest one. This may be the new order itself. */
  function waitForTurn(lane: string): Promise<'started' | 'busy'> | 'busy' {
    if (waiting.size >= MAX_WAITING) {
      const evicted = waiting.evictFor(lane);
      if (!evicted) return 'busy';
      evicted('busy');
    }
    return new Promise((settle) => waiting.push(lane, settle));
  }

  /** If writing fails, tries again without logos: a logo that cannot be drawn must not prevent printing. */
  async function writeAnyway(input: PrintInput): Promise<Buffer> {
    try {
      return await write(input, stopping);
    } catch (error) {
      if (input.logos.size === 0 || stopping.aborted) throw error;
      return write({ ...input, logos: new Map() }, stopping);
    }
  }
}

function writeInThread(input: PrintInput, stopping: AbortSignal): Promise<Buffer> {
  const worker = new Worker(new URL(import.meta.resolve('#print-worker')), {
    workerData: { pdf: input } satisfies PrintTask,
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
