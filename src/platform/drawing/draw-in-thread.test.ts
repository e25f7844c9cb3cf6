// Tests the order in which the thread draws. What it draws is tested beside the channels of printers, in
// code-picture.test.ts and in tests/rolling/.

import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { CodePicture } from '../../features/screens/drawing/code-picture.ts';
import { makeDrawInThread } from './draw-in-thread.ts';

const stop = new AbortController();
after(() => stop.abort());
const { drawPicture, drawCodePicture } = makeDrawInThread({ stopping: stop.signal });

const PICTURE: CodePicture = {
  width: 300,
  height: 200,
  language: 'de',
  mark: undefined,
  site: 'Haus am See',
  code: '04827-15936',
  message: '',
  allowance: '',
  wifi: [],
  qr: undefined,
};
const TEST_PAGE = {
  paper: 58,
  language: 'de',
  printer: 'Rezeption',
  site: 'Haus am See',
  title: 'Testseite',
  facts: [],
  rulerHint: 'Lineal',
  qr: 'Test',
} as const;

test('a receipt is drawn before the pictures of rolling codes that wait', async () => {
  const drawn: string[] = [];
  const orders = [
    { name: 'first code', draw: () => drawCodePicture({ codePicture: PICTURE, form: 'png' }) },
    { name: 'second code', draw: () => drawCodePicture({ codePicture: PICTURE, form: 'svg' }) },
    { name: 'receipt', draw: () => drawPicture({ testPage: { ...TEST_PAGE, facts: [] }, logos: new Map() }) },
  ];
  await Promise.all(orders.map(({ name, draw }) => draw().then(() => drawn.push(name))));
  assert.deepEqual(drawn, ['first code', 'receipt', 'second code']);
});

test('a picture that cannot be drawn does not stop the next ones', async () => {
  const broken = { codePicture: { ...PICTURE, site: null as never }, form: 'png' } as const;
  const outcomes = await Promise.allSettled([
    drawCodePicture(broken),
    drawCodePicture({ codePicture: PICTURE, form: 'svg' }),
  ]);
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  );
});
