// Draws pictures of rolling codes, and keeps the last ones: displays fetch the same picture again and again. While many
// different pictures are waiting, further ones are refused.

import type { DrawCodePicture } from './draw-in-thread.ts';
import type { CodePictureOrder } from './print-task.ts';

const MAX_KEPT = 20;
const MAX_WAITING = 4;
const BUSY_S = 5;

export interface CodePictureRequest extends CodePictureOrder {
  /** Pictures with the same key are the same. */
  key: string;
}

/** The bytes of the picture; or, if too many pictures are waiting, how long the display should wait. */
export type CodePictureResult = { bytes: Buffer } | { secondsLeft: number };
export type FetchCodePicture = (request: CodePictureRequest) => Promise<CodePictureResult>;

export function makeFetchCodePicture(drawCodePicture: DrawCodePicture): FetchCodePicture {
  const kept = new Map<string, Promise<Buffer>>();
  let waiting = 0;

  return async ({ key, codePicture, form }) => {
    const known = kept.get(key);
    if (!known && waiting >= MAX_WAITING) return { secondsLeft: BUSY_S };
    const drawn = known ?? draw({ codePicture, form });
    kept.delete(key);
    kept.set(key, drawn);
    // A picture that failed is drawn again.
    drawn.catch(() => kept.get(key) === drawn && kept.delete(key));
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest);
    return { bytes: await drawn };
  };

  async function draw(order: CodePictureOrder): Promise<Buffer> {
    waiting++;
    try {
      return await drawCodePicture(order);
    } finally {
      waiting--;
    }
  }
}
