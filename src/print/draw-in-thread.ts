// Draws receipts in a worker thread, so that requests do not wait. The thread is kept while it is used, because loading
// the library and the fonts takes longer than drawing.

import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Bitmap } from './bitmap.ts';
import type { PrintTask, ReceiptInput } from './print-task.ts';
import type { Logo } from './printed-slip.ts';

const PATIENCE_MS = 20_000;
const IDLE_MS = 60_000;
const MAX_MEMORY_MB = 256;
/** A logo that could not be drawn is left out for this time. Perhaps the machine was only busy. */
const LEFT_OUT_MS = 10 * 60_000;

export type DrawPicture = (input: ReceiptInput) => Promise<Bitmap>;

interface Deps {
  /** When the service stops, the thread ends, and the pictures that it has not drawn fail. */
  stopping: AbortSignal;
  idleMs?: number;
}

export function makeDrawPicture({ stopping, idleMs = IDLE_MS }: Deps): DrawPicture {
  let thread: DrawingThread | undefined;
  let last: Promise<unknown> = Promise.resolve();
  const logosLeftOut = makeLogosLeftOut();

  return async function drawPicture(input) {
    const drawn = last.then(() => drawAnyway(input));
    last = drawn.catch(() => undefined);
    return drawn;
  };

  /** If drawing fails, tries again without logos: a logo that cannot be drawn must not prevent printing. */
  async function drawAnyway(input: ReceiptInput): Promise<Bitmap> {
    const logos = logosLeftOut.others(input.logos);
    try {
      return await draw({ ...input, logos });
    } catch (error) {
      if (logos.size === 0 || stopping.aborted) throw error;
      const picture = await draw({ ...input, logos: new Map() });
      logosLeftOut.add(logos);
      return picture;
    }
  }

  async function draw(input: ReceiptInput): Promise<Bitmap> {
    stopping.throwIfAborted();
    thread ??= startThread({ stopping, idleMs, onEnd: () => (thread = undefined) });
    return thread.draw(input);
  }
}

type Logos = ReadonlyMap<string, Logo>;

/** Remembers logos that could not be drawn: all printers wait until such an attempt is given up. */
function makeLogosLeftOut() {
  const untilMs = new Map<string, number>();
  const keyOf = ({ source }: Logo) => createHash('sha256').update(source).digest('base64');
  return {
    add(logos: Logos): void {
      for (const logo of logos.values()) untilMs.set(keyOf(logo), performance.now() + LEFT_OUT_MS);
    },
    others(logos: Logos): Map<string, Logo> {
      for (const [key, endMs] of untilMs) if (endMs < performance.now()) untilMs.delete(key);
      return new Map(untilMs.size === 0 ? logos : [...logos].filter(([, logo]) => !untilMs.has(keyOf(logo))));
    },
  };
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
