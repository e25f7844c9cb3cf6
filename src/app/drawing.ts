// Wires the drawing of print jobs. Its modules are loaded with the first job, because most installations have no printer.

import type { DrawJob } from '../channels/printer/draw-job.ts';
import type { Installation } from './installation.ts';

export interface Drawing {
  drawJob: DrawJob;
  /** Ends the thread that draws. Jobs that are not drawn yet fail. */
  stop(): void;
}

export function makeDrawing(installation: Installation, { timeZone }: { timeZone: string }): Drawing {
  const stopping = new AbortController();
  let loaded: DrawJob | undefined;
  return {
    async drawJob(...job) {
      loaded ??= await load();
      return loaded(...job);
    },
    stop: () => stopping.abort(),
  };

  async function load(): Promise<DrawJob> {
    const { makeDrawPicture } = await import('../print/draw-in-thread.ts');
    const { makeDrawJob } = await import('../channels/printer/draw-job.ts');
    const drawPicture = makeDrawPicture({ stopping: stopping.signal });
    const { finder, slips, images, sites, settings, readTrustedTime, clock } = installation;
    const stores = { finder, slips, images, sites, settings };
    return makeDrawJob({ ...stores, readTrustedTime, clock, timeZone, drawPicture });
  }
}
