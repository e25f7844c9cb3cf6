// Draws pictures of rolling codes, and keeps the last ones: displays fetch the same picture again and again. While many
// different pictures are waiting, further ones are refused, so that print jobs do not wait for them.

import type { CodePicture } from './code-picture.ts';
import type { DrawPicture } from './draw-in-thread.ts';
import { writePng } from './png.ts';

const MAX_KEPT = 20;
const MAX_WAITING = 4;

/** Undefined if too many pictures are waiting. */
export type DrawCodePng = (picture: CodePicture) => Promise<Buffer> | undefined;

export function makeDrawCodePng(drawPicture: DrawPicture): DrawCodePng {
  const kept = new Map<string, Promise<Buffer>>();
  let waiting = 0;

  return (picture) => {
    const key = JSON.stringify(picture);
    const known = kept.get(key);
    if (!known && waiting >= MAX_WAITING) return undefined;
    const drawn = known ?? draw(picture);
    kept.delete(key);
    kept.set(key, drawn);
    // A picture that failed is drawn again.
    drawn.catch(() => kept.get(key) === drawn && kept.delete(key));
    const [oldest] = kept.keys();
    if (oldest !== undefined && kept.size > MAX_KEPT) kept.delete(oldest);
    return drawn;
  };

  async function draw(codePicture: CodePicture): Promise<Buffer> {
    waiting++;
    try {
      return writePng(await drawPicture({ codePicture, logos: new Map() }), codePicture.width);
    } finally {
      waiting--;
    }
  }
}
