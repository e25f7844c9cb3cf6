// Draws receipts in a worker thread, so that requests do not wait. The thread is kept while it is used, because loading
// the library and the fonts takes longer than drawing.

import { Worker } from 'node:worker_threads';
import type { Bitmap } from './bitmap.ts';
import type { PrintTask, ReceiptInput } from './print-task.ts';

const PATIENCE_MS = 20_000;
const IDLE_MS = 60_000;
const MAX_MEMORY_MB = 256;

export type DrawPicture = (input: ReceiptInput) => Promise<Bitmap>;

interface Deps {
  /** When the service stops, the thread ends, and the pictures that it has not drawn fail. */
  stopping: AbortSignal;
  idleMs?: number;
}

export function makeDrawPicture({ stopping, idleMs = IDLE_MS }: Deps): DrawPicture {
  let thread: DrawingThread | undefined;
  let last: Promise<unknown> = Promise.resolve();

  return async function drawPicture(input) {
    const drawn = last.then(() => drawAnyway(input));
    last = drawn.catch(() => undefined);
    return drawn;
  };

  /** If drawing fails, tries again without logos: a logo that cannot be drawn must not prevent printing. */
  async function drawAnyway(input: ReceiptInput): Promise<Bitmap> {
    try {
      return await draw(input);
    } catch (error) {
      if (input.logos.size === 0 || stopping.aborted) throw error;
      return draw({ ...input, logos: new Map() });
    }
  }

  async function draw(input: ReceiptInput): Promise<Bitmap> {
    stopping.throwIfAborted();
    thread ??= startThread({ stopping, idleMs, onEnd: () => (thread = undefined) });
    return thread.draw(input);
  }
}

interface DrawingThread {
  draw(input: ReceiptInput): Promise<Bitmap>;
}

/** Draws one picture at a time. */
function startThread({ stopping, idleMs, onEnd }: Required<Deps> & { onEnd(): void }): DrawingThread {
  const worker = new Worker(new URL(import.meta.resolve('#print-worker')), {
    workerData: 'receipts' satisfies PrintTask,
    resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
  });
  const end = () => {
    stopping.removeEventListener('abort', end);
    onEnd();
    void worker.terminate();
  };
  stopping.addEventListener('abort', end);
  worker.on('error', end);
  let idle: NodeJS.Timeout | undefined;

  return {
    async draw(input) {
      clearTimeout(idle);
      // An idle thread does not keep the process running.
      worker.ref();
      const patience = setTimeout(end, PATIENCE_MS);
      try {
        return await awaitPicture(input);
      } catch (error) {
        end();
        throw error;
      } finally {
        clearTimeout(patience);
        worker.unref();
        idle = setTimeout(end, idleMs).unref();
      }
    },
  };

  async function awaitPicture(input: ReceiptInput): Promise<Bitmap> {
    const { promise, resolve, reject } = Promise.withResolvers<Bitmap>();
    const endedEarly = () => reject(new Error('the thread that draws receipts ended without a picture'));
    worker.once('message', resolve).once('error', reject).once('exit', endedEarly);
    worker.postMessage(input);
    try {
      return await promise;
    } finally {
      worker.off('message', resolve).off('error', reject).off('exit', endedEarly);
    }
  }
}
