// Tests which driver a site gets: one per controller site, a new one when the site's access changes, and a clear error
// if there is none.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Pool } from 'undici';
import { makeControllers } from '../../src/kernel/controllers/controller-of.ts';
import type { Site } from '../../src/kernel/sites/site.ts';
import { TEST_ORDER } from '../../src/kernel/sites/test-site.ts';
import { systemClock } from '../../src/platform/time/clock.ts';
import { ordering } from '../support/ordering.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { SITE } from '../support/site.ts';

const { folder, remove } = makeFolder();
const controllers = makeControllers({
  dataDir: folder,
  clock: systemClock,
  sessions: { load: async () => undefined, save: async () => {} },
});
after(async () => {
  await controllers.close();
  remove();
});

test('an unused simulated controller leaves no file', () => {
  assert.equal(existsSync(join(folder, 'simulator.sqlite')), false);
});

test('a site keeps its driver, and gets another driver when its controller site changes', async () => {
  const driver = controllers.controllerOf(SITE);
  assert.equal(controllers.controllerOf({ ...SITE, name: 'renamed' }), driver);
  const elsewhere = controllers.controllerOf({ ...SITE, controllerSite: 'fail:refuse' });
  assert.notEqual(elsewhere, driver);
  assert.equal((await elsewhere.check(new AbortController().signal))?.kind, 'refused');
  assert.equal(controllers.controllerOf(SITE), driver);
});

test('a site of a newer release refuses every call, and nothing is sent', async () => {
  const driver = controllers.controllerOf({ ...SITE, controllerKind: 'unknown' });
  const signal = new AbortController().signal;
  const failures = [
    driver.overload(ordering(), 1),
    await driver.check(signal),
    await driver.forEachVoucherChunk(async () => assert.fail('there are no vouchers'), signal),
    ...[
      await driver.createVouchers(TEST_ORDER, 1, ordering()),
      await driver.findVouchersNamed(new Set(['x']), { signal, priority: 'settle' }),
      await driver.findUses(signal),
      await driver.deleteVoucher('x', signal),
      await driver.listsAny(['x'], signal),
      await driver.listSites(signal),
    ].map((result) => (result.ok ? undefined : result.problem)),
  ];
  for (const failure of failures)
    assert.partialDeepStrictEqual(failure, { kind: 'refused', cause: 'not-known' });
});

test('changed credentials give a site another driver, and missing credentials an error that names the site', () => {
  const trust = { kind: 'ca' as const };
  const connection = { url: 'https://unifi.example', trust, credentials: { apiKey: 'one' } };
  const unifi: Site = { ...SITE, controllerKind: 'unifi', connection };
  const driver = controllers.controllerOf(unifi);
  assert.equal(controllers.controllerOf({ ...unifi, connection: structuredClone(connection) }), driver);
  const renewed = { ...connection, credentials: { apiKey: 'two' } };
  assert.notEqual(controllers.controllerOf({ ...unifi, connection: renewed }), driver);
  for (const wrong of [
    { ...unifi, connection: null },
    { ...unifi, controllerKind: 'unifi-classic' as const },
  ])
    assert.throws(() => controllers.controllerOf(wrong), /site 1: no driver for "unifi/);
});

test('connections that no site has used for an hour are closed, and made again when they are needed', async (t) => {
  let nowMs = 0;
  t.mock.method(performance, 'now', () => nowMs);
  const close = t.mock.method(Pool.prototype, 'close');
  const closed = () => new Set(close.mock.calls.map((call) => call.this)).size;
  const own = makeControllers({
    dataDir: folder,
    clock: systemClock,
    sessions: { load: async () => undefined, save: async () => {} },
  });
  t.after(() => own.close());
  const at = (url: string): Site => ({
    ...SITE,
    controllerKind: 'unifi',
    connection: { url, trust: { kind: 'ca' }, credentials: { apiKey: 'one' } },
  });
  // Nothing listens on these ports. The call opens the connections and fails.
  const use = (url: string) => own.controllerOf(at(url)).check(new AbortController().signal);
  const [one, two, three] = ['https://127.0.0.1:1', 'https://127.0.0.1:2', 'https://127.0.0.1:3'];
  const driver = own.controllerOf(at(one));
  await use(one);
  nowMs += 59 * 60_000;
  await use(two);
  assert.equal(own.controllerOf(at(one)), driver);
  nowMs += 61 * 60_000;
  assert.equal(closed(), 0);
  await use(three);
  assert.equal(closed(), 2);
  assert.notEqual(own.controllerOf(at(one)), driver);
});
