// Wires the drawing of print jobs and of other pictures. Its modules are loaded with the first picture, because most
// installations have no printer.

import type { DrawJob } from '../features/printers/channel/draw-job.ts';
import type { Installation } from '../kernel/installation.ts';
import type { DrawCodePicture, DrawInThread } from '../platform/drawing/draw-in-thread.ts';

export interface Drawing {
  drawJob: DrawJob;
  /** Draws in the same thread, after the print jobs that wait. */
  drawCodePicture: DrawCodePicture;
  /** Ends the thread that draws. Jobs that are not drawn yet fail. */
  stop(): void;
}

export function makeDrawing(installation: Installation, { timeZone }: { timeZone: string }): Drawing {
  const stopping = new AbortController();
  let inThread: DrawInThread | undefined;
  let drawJob: DrawJob | undefined;
  return {
    async drawJob(...job) {
      drawJob ??= await loadJobs();
      return drawJob(...job);
    },
    async drawCodePicture(order) {
      const { drawCodePicture } = await loadThread();
      return drawCodePicture(order);
    },
    stop: () => stopping.abort(),
  };

  /** All pictures are drawn by one thread. */
  async function loadThread(): Promise<DrawInThread> {
    const { makeDrawInThread } = await import('../platform/drawing/draw-in-thread.ts');
    inThread ??= makeDrawInThread({ stopping: stopping.signal });
    return inThread;
  }

  async function loadJobs(): Promise<DrawJob> {
    const { makeDrawJob } = await import('../features/printers/channel/draw-job.ts');
    const { drawPicture } = await loadThread();
    const { finder, slips, images, sites, settings, readTrustedTime, clock } = installation;
    const stores = { finder, slips, images, sites, settings };
    return makeDrawJob({ ...stores, readTrustedTime, clock, timeZone, drawPicture });
  }
}
