// Tests that the pictures of one rolling code cost the service little, whatever sizes are asked for, and that they do
// not delay other requests or the displays of other screens.

import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, mock, test } from 'node:test';
import zlib from 'node:zlib';
import { MAX_DRAWN } from '../../src/features/screens/drawing/kept-pictures.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addRolling, type RollingGround } from './ground.ts';

let service: TestService;
before(async () => {
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

async function addFilled(): Promise<RollingGround> {
  const screen = addRolling(service);
  await screen.fill();
  return screen;
}

const fetchPicture = ({ path }: RollingGround, form: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}.${form}`, { headers });
const statusOf = async (...request: Parameters<typeof fetchPicture>) =>
  (await fetchPicture(...request)).status;

test('the thread that answers requests neither lays out pictures nor compresses them', async () => {
  const screen = await addFilled();
  // Loads the modules.
  await screen.look();
  const compress = mock.method(zlib, 'deflateSync');
  const splitLetters = mock.method(Intl, 'Segmenter');
  syncBuiltinESMExports();
  try {
    for (const form of ['png', 'svg']) assert.equal(await statusOf(screen, form), 200);
    assert.equal(compress.mock.callCount(), 0);
    assert.equal(splitLetters.mock.callCount(), 0);
  } finally {
    mock.restoreAll();
    syncBuiltinESMExports();
  }
});

test('a screen gets few new pictures in a minute; those that are known are free, and other screens get theirs', async () => {
  const [screen, other] = [await addFilled(), await addFilled()];
  const tagOf = async (form: string) => (await fetchPicture(screen, form)).headers.get('etag') ?? '';
  const known = [
    { form: 'svg?w=300', etag: await tagOf('svg?w=300') },
    { form: 'png?w=300', etag: await tagOf('png?w=300') },
  ];
  for (let drawn = known.length; drawn < MAX_DRAWN; drawn++)
    assert.equal(await statusOf(screen, `${drawn % 2 ? 'png' : 'svg'}?w=${100 + drawn}&h=100`), 200);

  for (const { form, etag } of known) {
    const refused = await fetchPicture(screen, form);
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'], form);
    assert.equal(await statusOf(screen, form, { 'if-none-match': etag }), 304, form);
    assert.equal(await statusOf(other, form), 200, form);
  }
  assert.equal(await statusOf(screen, `png?w=${100 + MAX_DRAWN - 1}&h=100`), 200, 'it is kept');
  assert.equal(await statusOf(screen, 'json'), 200);
  service.clock.advance(60_000);
  for (const { form } of known) assert.equal(await statusOf(screen, form), 200, form);
});

test('many displays of other sizes at once do not take the place of the display of another screen', async () => {
  const [screen, other] = [await addFilled(), await addFilled()];
  const flood = Array.from({ length: 40 }, (_, at) => statusOf(screen, `png?w=${200 + at}&h=200`));
  const others = Array.from({ length: 5 }, () => statusOf(other, 'png?w=300&h=200'));
  assert.deepEqual(await Promise.all(others), [200, 200, 200, 200, 200]);
  const statuses = await Promise.all(flood);
  assert.deepEqual(new Set(statuses), new Set([200, 429]));
  assert.ok(statuses.filter((status) => status === 200).length <= MAX_DRAWN);
});
