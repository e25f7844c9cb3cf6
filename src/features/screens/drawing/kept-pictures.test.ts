// Tests how many pictures of rolling codes are drawn, kept and waiting for each screen.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeFakeClock } from '../../../../tests/support/fake-clock.ts';
import { asScreenId } from '../../../kernel/ids.ts';
import type { CodePictureOrder } from '../../../platform/drawing/print-task.ts';
import type { CodePicture } from './code-picture.ts';
import { MAX_DRAWN, MAX_KEPT, MAX_UNFINISHED, makeFetchCodePicture } from './kept-pictures.ts';

const [BAR, LOBBY] = [asScreenId(1), asScreenId(2)];

function prepare(drawCodePicture: (order: CodePictureOrder) => Promise<Buffer> = async () => Buffer.of(1)) {
  const clock = makeFakeClock();
  const drawn: number[] = [];
  const fetchCodePicture = makeFetchCodePicture({
    clock,
    drawCodePicture(order) {
      drawn.push(order.codePicture.width);
      return drawCodePicture(order);
    },
  });
  /** The seconds to wait, or 0 if the picture came. */
  const fetchWidth = async (screenId: typeof BAR, width: number) => {
    const codePicture = { width } as CodePicture;
    const result = await fetchCodePicture({ screenId, key: String(width), codePicture, form: 'png' });
    return 'bytes' in result ? 0 : result.secondsLeft;
  };
  return { clock, drawn, fetchWidth };
}

test('a screen that has had its drawings of the minute waits, and other screens do not', async () => {
  const { clock, drawn, fetchWidth } = prepare();
  for (let width = 1; width <= MAX_DRAWN; width++) assert.equal(await fetchWidth(BAR, width), 0);
  clock.advance(20_000);
  assert.equal(await fetchWidth(BAR, 999), 40);
  assert.equal(await fetchWidth(LOBBY, 999), 0);
  assert.equal(drawn.length, MAX_DRAWN + 1);
  assert.equal(await fetchWidth(BAR, MAX_DRAWN), 0, 'a kept picture is free');
  clock.advance(40_000);
  assert.equal(await fetchWidth(BAR, 999), 0);
});

test('few pictures of a screen are kept, and another screen does not displace them', async () => {
  const { drawn, fetchWidth } = prepare();
  for (let width = 1; width <= MAX_KEPT; width++) await fetchWidth(LOBBY, width);
  for (let width = 1; width <= MAX_KEPT + 1; width++) await fetchWidth(BAR, width);
  drawn.length = 0;
  for (let width = 1; width <= MAX_KEPT; width++) await fetchWidth(LOBBY, width);
  assert.deepEqual(drawn, []);
  await fetchWidth(BAR, MAX_KEPT + 1);
  await fetchWidth(BAR, 1);
  assert.deepEqual(drawn, [1], 'the one that was fetched longest ago is drawn again');
});

test('while the pictures of a screen wait, other sizes are refused, and those of other screens wait, too', async () => {
  const finish = Promise.withResolvers<Buffer>();
  const { drawn, fetchWidth } = prepare(() => finish.promise);
  const waiting = Array.from({ length: MAX_UNFINISHED }, (_, at) => fetchWidth(BAR, at));
  waiting.push(fetchWidth(BAR, 999), fetchWidth(BAR, 0), fetchWidth(LOBBY, 999));
  assert.deepEqual(drawn, [0, 1, 999], 'the same picture is drawn once');
  finish.resolve(Buffer.of(1));
  assert.deepEqual(await Promise.all(waiting), [0, 0, 5, 0, 0]);
  assert.equal(await fetchWidth(BAR, 999), 0, 'the places are free again');
});

test('a picture that failed is drawn again, and its place is free', async () => {
  let isBroken = true;
  const { fetchWidth } = prepare(async () => {
    if (isBroken) throw new Error('broken');
    return Buffer.of(1);
  });
  for (let times = 0; times <= MAX_UNFINISHED; times++) await assert.rejects(fetchWidth(BAR, 1), /broken/);
  isBroken = false;
  assert.equal(await fetchWidth(BAR, 1), 0);
});
