// Tests what is said about sites right after a start, when their last syncs are old because the service was stopped.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { until } from '../../support/until.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

/** Tests have an interval of a day, so that no sync runs by itself. */
const FOUR_DAYS_MS = 4 * 24 * 60 * 60_000;

const { folder: dataDir, remove } = makeFolder();
let service: TestService;
let admin: WebClient;
before(async () => {
  const earlier = await startTestService({ dataDir });
  await addUser(earlier, 'anna@example.org', 'admin');
  const { syncs } = earlier.beside;
  const [good, failed] = [asSiteId(await earlier.addSite()), asSiteId(await earlier.addSite())];
  await syncs.noteSuccess(good);
  await syncs.noteSuccess(failed);
  earlier.clock.advance(1);
  await syncs.noteFailure(failed, 'it was away');
  await earlier.stop();
  earlier.clock.advance(FOUR_DAYS_MS);
  service = await startTestService({ dataDir, clock: earlier.clock });
  await until(async () => (await service.beside.instances.listLiving()).length > 0);
  admin = await loggedIn(service, 'anna@example.org');
});
after(async () => {
  await service.stop();
  remove();
});

/** What is red: in System health, on the overview, and in the metrics. */
async function red() {
  const { text } = await service.call('GET', '/metrics');
  const overview = (await admin.get('/overview')).text;
  const health = (await admin.get('/health')).text;
  return {
    metric: /^gastpass_site_sync_failing\{.*\} 1$/m.test(text),
    never: /noch nie/.test(overview),
    failing: /it was away/.test(health),
    stale: /kein Abgleich; die angezeigte Nutzung ist veraltet/.test(health),
  };
}
const NOTHING = { metric: false, never: false, failing: false, stale: false };

test('sites that could not be synced while the service was stopped are not red', async () => {
  assert.deepEqual(await red(), NOTHING);
});

test('a sync that fails after the start is reported at once', async () => {
  const [id] = [...(await service.beside.syncs.list()).keys()];
  assert.ok(id);
  await service.beside.syncs.noteFailure(id, 'it was away');
  assert.deepEqual(await red(), { ...NOTHING, metric: true, failing: true });
  service.clock.advance(1);
  await service.beside.syncs.noteSuccess(id);
});

test('sites that are not synced for three intervals after the start are stale', async () => {
  service.clock.advance(FOUR_DAYS_MS);
  admin = await loggedIn(service, 'anna@example.org');
  assert.deepEqual(await red(), { ...NOTHING, never: true, stale: true });
});
