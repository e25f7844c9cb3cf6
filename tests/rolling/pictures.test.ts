// Tests that the pictures of rolling codes do not delay other requests.

import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { after, before, mock, test } from 'node:test';
import zlib from 'node:zlib';
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
