// Draws receipts and rolling codes in a worker thread, so that requests do not wait. The thread is kept while it is
// used, because loading the library and the fonts takes longer than drawing.

import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import type { Logo } from '../../kernel/slips/printed-slip.ts';
import { makeSemaphore } from '../concurrency/semaphore.ts';
import type { Bitmap } from './bitmap.ts';
import type { CodePictureOrder, DrawnPicture, PictureOrder, PrintTask, ReceiptInput } from './print-task.ts';

const PATIENCE_MS = 20_000;
const IDLE_MS = 60_000;
const MAX_MEMORY_MB = 256;
/** A logo that could not be drawn is left out for this time. Perhaps the machine was only busy. */
const LEFT_OUT_MS = 10 * 60_000;

export type DrawPicture = (input: ReceiptInput) => Promise<Bitmap>;
export type DrawCodePicture = (order: CodePictureOrder) => Promise<Buffer>;

export interface DrawInThread {
  drawPicture: DrawPicture;
  /** Starts when no receipt waits: a guest waits for the receipt, and a display asks again. */
  drawCodePicture: DrawCodePicture;
}

interface Deps {
  /** When the service stops, the thread ends, and the pictures that it has not drawn fail. */
  stopping: AbortSignal;
  idleMs?: number;
}

export function makeDrawInThread({ stopping, idleMs = IDLE_MS }: Deps): DrawInThread {
  let thread: DrawingThread | undefined;
  const turns = makeSemaphore({ places: 1 });
  const logosLeftOut = makeLogosLeftOut();

  return {
    drawPicture: (input) => takeTurn({ isUrgent: true }, () => drawAnyway(input)),
    async drawCodePicture(order) {
      const file = await takeTurn({ isUrgent: false }, () => draw(order));
      return Buffer.from(file.buffer, file.byteOffset, file.length);
    },
  };

  async function takeTurn<Drawn>({ isUrgent }: { isUrgent: boolean }, start: () => Promise<Drawn>) {
    await turns.acquire(isUrgent);
    try {
      return await start();
    } finally {
      turns.release();
    }
  }

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

  async function draw<Order extends PictureOrder>(order: Order): Promise<DrawnPicture<Order>> {
    stopping.throwIfAborted();
    thread ??= startThread({ stopping, idleMs, onEnd: () => (thread = undefined) });
    return thread.draw(order);
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
  draw<Order extends PictureOrder>(order: Order): Promise<DrawnPicture<Order>>;
}

/** Draws one picture at a time. */
function startThread({ stopping, idleMs, onEnd }: Required<Deps> & { onEnd(): void }): DrawingThread {
  const worker = new Worker(new URL(import.meta.resolve('#print-worker')), {
    workerData: 'pictures' satisfies PrintTask,
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
    async draw(order) {
      clearTimeout(idle);
      // An idle thread does not keep the process running.
      worker.ref();
      const patience = setTimeout(end, PATIENCE_MS);
      try {
        return await awaitPicture(order);
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

  async function awaitPicture<Order extends PictureOrder>(order: Order): Promise<DrawnPicture<Order>> {
    const { promise, resolve, reject } = Promise.withResolvers<DrawnPicture<Order>>();
    const endedEarly = () => reject(new Error('the thread that draws pictures ended without one'));
    worker.once('message', resolve).once('error', reject).once('exit', endedEarly);
    worker.postMessage(order);
    try {
      return await promise;
    } finally {
      worker.off('message', resolve).off('error', reject).off('exit', endedEarly);
    }
  }
}
