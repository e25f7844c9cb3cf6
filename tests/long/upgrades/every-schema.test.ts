// Upgrades an installation of every earlier schema: all rows are kept, the API gives the same answers, keys, passwords,
// sessions and sealed values stay valid, and unfinished work is continued.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { migrations } from '../../../src/platform/database/migrations/index.ts';
import { migrateInstallation } from '../../../src/platform/database/open-storage.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { configOf, startTestService, type TestService } from '../../support/test-service.ts';
import { ADMIN, readFixture, SECRET } from '../../upgrades/fixture.ts';
import {
  makeOldInstallation,
  readAllRows,
  readColumns,
  rowsToKeep,
} from '../../upgrades/old-installation.ts';
import { SESSION_TOKEN } from '../../upgrades/page-rows.ts';
import { makeWebClient } from '../../web/web-client.ts';

const LATER_MS = 10 * 60_000;
const WITH_WEBHOOKS = 5;
const WITH_SESSIONS = 6;

for (const { version } of migrations)
  test(`an installation with schema ${version} works after the upgrade as before`, async () => {
    const { folder: dataDir, remove } = makeFolder();
    await makeOldInstallation(dataDir, version);
    const columns = readColumns(dataDir);
    const before = rowsToKeep(dataDir, columns, version);
    const { nowMs, key, sites, vouchers } = readFixture(version);
    const environment = { GASTPASS_SECRET: SECRET };
    await migrateInstallation(await configOf(dataDir, environment));
    assert.deepEqual(readAllRows(dataDir, columns), before);

    const clock = makeFakeClock(new Date(nowMs).toISOString());
    const service = await startTestService({ dataDir, clock, environment });
    try {
      assert.deepEqual((await service.call('GET', 'sites.php', { key })).json, sites);
      assert.deepEqual((await service.call('GET', 'vouchers.php?site_id=1', { key })).json, vouchers);
      await repeatFirstOrder(service, key);
      assert.deepEqual((await service.beside.tallySealedValues()).broken, []);
      assert.equal((await makeWebClient(service).login(ADMIN.email, ADMIN.password)).location, '/');
      if (version >= WITH_SESSIONS) await useKeptSession(service);
      if (version >= WITH_WEBHOOKS) await continueNotifications(service);
      await settleKeptIntent(service);
      const body = { site_id: 1, name: 'Zimmer 15' };
      assert.equal((await service.call('POST', 'vouchers.php', { key, body })).status, 201);
    } finally {
      await service.stop();
      remove();
    }
  });

async function repeatFirstOrder(service: TestService, key: string): Promise<void> {
  const { status, json } = await service.call('POST', 'vouchers.php', {
    key,
    headers: { 'idempotency-key': 'the-first-order' },
    body: { site_id: 1, name: 'Zimmer 12' },
  });
  assert.deepEqual(
    [status, json.code],
    [201, service.rows('select code from vouchers where id = 1')[0]?.code],
  );
}

async function useKeptSession(service: TestService): Promise<void> {
  const browser = makeWebClient(service);
  browser.cookies.set('gastpass', SESSION_TOKEN);
  assert.equal((await browser.get('/account')).status, 200);
}

/** The webhook's address can be opened, and it still gets what was waiting for it. */
async function continueNotifications({ beside, rows }: TestService): Promise<void> {
  assert.deepEqual(
    (await beside.webhooks.list()).map(({ url, active }) => [url, active]),
    [['http://127.0.0.1:9/hook', true]],
  );
  await beside.deliveries.fanOut(10);
  const waiting = rows("select event_id from messages where state = 'waiting'");
  const kept = waiting.map(({ event_id }) => event_id).filter((id) => String(id).startsWith('event-'));
  assert.deepEqual(kept.toSorted(), ['event-2', 'event-99']);
}

async function settleKeptIntent({ beside, clock, rows }: TestService): Promise<void> {
  const intents = () => rows('select id from intents').map(({ id }) => id);
  assert.deepEqual(intents(), [99]);
  clock.advance(LATER_MS);
  await makeSyncUseCases(beside).settleIntents(new AbortController().signal);
  assert.deepEqual(intents(), []);
}
