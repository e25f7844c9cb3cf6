// Draws pictures of rolling codes, and keeps the last ones: displays fetch the same picture again and again. Each
// screen has limits of its own, so that a display that asks for ever new sizes delays neither the displays of other
// screens nor print jobs.

import type { ScreenId } from '../../../kernel/ids.ts';
import { countInWindow, type RateWindow, verdictOn } from '../../../kernel/keys/rate-window.ts';
import type { DrawCodePicture } from '../../../platform/drawing/draw-in-thread.ts';
import type { CodePictureOrder } from '../../../platform/drawing/print-task.ts';
import type { Clock } from '../../../platform/time/clock.ts';

/** Of one screen. Displays of several sizes, as PNG and as SVG. */
export const MAX_KEPT = 4;
/** Of one screen: a picture that is drawn, and one that waits. */
export const MAX_UNFINISHED = 2;
/** Of one screen, in a minute. A code changes less often, and few displays of different sizes show it. */
export const MAX_DRAWN = 20;
/** Limits the memory. Beyond it, the screen that was fetched longest ago is forgotten. */
const MAX_SCREENS = 500;
const BUSY_S = 5;

export interface CodePictureRequest extends CodePictureOrder {
  screenId: ScreenId;
  /** Pictures with the same key are the same. */
  key: string;
}

/** The bytes of the picture; or, if the screen has reached one of its limits, how long the display should wait. */
export type CodePictureResult = { bytes: Buffer } | { secondsLeft: number };
export type FetchCodePicture = (request: CodePictureRequest) => Promise<CodePictureResult>;

interface ScreenPictures {
  /** In the order in which they were fetched. */
  kept: Map<string, Promise<Buffer>>;
  unfinished: number;
  drawn: RateWindow | undefined;
}

interface Deps {
  drawCodePicture: DrawCodePicture;
  clock: Clock;
}

export function makeFetchCodePicture({ drawCodePicture, clock }: Deps): FetchCodePicture {
  const screens = new Map<ScreenId, ScreenPictures>();

  return async ({ screenId, key, codePicture, form }) => {
    const pictures = picturesOf(screenId);
    const known = pictures.kept.get(key);
    if (!known) {
      const refused = refuseDrawing(pictures);
      if (refused) return refused;
    }
    const drawn = known ?? draw(pictures, { codePicture, form });
    keep(pictures.kept, key, drawn);
    return { bytes: await drawn };
  };

  function picturesOf(screenId: ScreenId): ScreenPictures {
    const pictures = screens.get(screenId) ?? { kept: new Map(), unfinished: 0, drawn: undefined };
    moveToEnd(screens, screenId, pictures, MAX_SCREENS);
    return pictures;
  }

  /** Counts the drawing, unless it is refused. */
  function refuseDrawing(pictures: ScreenPictures): { secondsLeft: number } | undefined {
    if (pictures.unfinished >= MAX_UNFINISHED) return { secondsLeft: BUSY_S };
    const rule = { limit: MAX_DRAWN, nowMs: clock.nowMs() };
    const counted = countInWindow(pictures.drawn, rule);
    pictures.drawn = counted;
    const { accepted, secondsLeft } = verdictOn(1, rule, counted);
    return accepted ? undefined : { secondsLeft };
  }

  async function draw(pictures: ScreenPictures, order: CodePictureOrder): Promise<Buffer> {
    pictures.unfinished++;
    try {
      return await drawCodePicture(order);
    } finally {
      pictures.unfinished--;
    }
  }
}

function keep(kept: ScreenPictures['kept'], key: string, drawn: Promise<Buffer>): void {
  moveToEnd(kept, key, drawn, MAX_KEPT);
  // A picture that failed is drawn again.
  drawn.catch(() => kept.get(key) === drawn && kept.delete(key));
}

/** Makes an entry the newest, and removes the oldest one if there are too many. */
function moveToEnd<Key, Value>(map: Map<Key, Value>, key: Key, value: Value, max: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (oldest !== undefined && map.size > max) map.delete(oldest);
}
