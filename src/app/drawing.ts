// Wires the drawing of print jobs and of other pictures. Its modules are loaded with the first picture, because most
// installations have no printer.

import type { DrawJob } from '../channels/printer/draw-job.ts';
import type { DrawPicture } from '../print/draw-in-thread.ts';
import type { Installation } from './installation.ts';

export interface Drawing {
  drawJob: DrawJob;
  /** Draws in the same thread. */
  drawPicture: DrawPicture;
  /** Ends the thread that draws. Jobs that are not drawn yet fail. */
  stop(): void;
}

export function makeDrawing(installation: Installation, { timeZone }: { timeZone: string }): Drawing {
  const stopping = new AbortController();
  let drawPicture: DrawPicture | undefined;
  let drawJob: DrawJob | undefined;
  return {
    async drawJob(...job) {
      drawJob ??= await loadJobs();
      return drawJob(...job);
    },
    async drawPicture(input) {
      const draw = await loadPictures();
      return draw(input);
    },
    stop: () => stopping.abort(),
  };

  /** All pictures are drawn by one thread. */
  async function loadPictures(): Promise<DrawPicture> {
    const { makeDrawPicture } = await import('../print/draw-in-thread.ts');
    drawPicture ??= makeDrawPicture({ stopping: stopping.signal });
    return drawPicture;
  }

  async function loadJobs(): Promise<DrawJob> {
    const { makeDrawJob } = await import('../channels/printer/draw-job.ts');
    const draw = await loadPictures();
    const { finder, slips, images, sites, settings, readTrustedTime, clock } = installation;
    const stores = { finder, slips, images, sites, settings };
    return makeDrawJob({ ...stores, readTrustedTime, clock, timeZone, drawPicture: draw });
  }
}
