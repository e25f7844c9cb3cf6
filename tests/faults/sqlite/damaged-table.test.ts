// With damaged pages in a table that records vouchers, orders are refused before anything is sent to the console.

import assert from 'node:assert/strict';
import { closeSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { type SimulatedConsole, startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { TESTER } from '../../support/actors.ts';
import { callApi, makeFolder, type RunningGastpass, startGastpass } from '../../support/run-gastpass.ts';
import { testConfig } from '../../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
const environment = { GASTPASS_DEMO: '0', SYNC_INTERVAL_S: '86400' };
const file = join(dataDir, 'gastpass.sqlite');
let console: SimulatedConsole;
let service: RunningGastpass | undefined;
let key: string;
let siteId: number;

before(async () => {
  console = await startSimulatedConsole();
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const beside = await openInstallation(testConfig({ ...environment, DATA_DIR: dataDir }));
  const audit = { actor: TESTER, atMs: Date.now() };
  siteId = await beside.sites.add(
    { name: 'Haus A', active: true, controllerKind: 'unifi', controllerSite: 'default', connection },
    audit,
  );
  key = (await beside.issueKey({ name: 'Test', scope: 'write', rateLimit: 0 }, audit)).keyText;
  await beside.close();
});
after(async () => {
  await service?.stop();
  await console.stop();
  remove();
});

const order = (name: string) =>
  callApi(service ?? assert.fail(), { key, body: { site_id: siteId, name, expire_minutes: 60 } });

/** Overwrites the first page of a table or an index. */
function damage(name: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const page = Number(
    database.prepare('select rootpage from sqlite_schema where name = ?').get(name)?.rootpage,
  );
  const size = Number(database.prepare('pragma page_size').get()?.page_size);
  database.close();
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(size, 0xee), 0, size, (page - 1) * size);
  closeSync(handle);
}

test('with a damaged index of the vouchers, orders get a 503, and the console gets none', async () => {
  service = await startGastpass({ dataDir, environment });
  assert.equal((await order('davor')).status, 201);
  await service.stop();
  damage('vouchers_by_code');
  service = await startGastpass({ dataDir, environment });
  for (const name of ['Zimmer 1', 'Zimmer 2']) {
    const { status, json } = await order(name);
    assert.deepEqual([status, json.error], [503, 'database_unavailable']);
  }
  assert.equal(console.controls.vouchers().length, 1);
  assert.match(service.stdout(), /"reason":"damaged"[^\n]*"msg":"database cannot be written"/);
  const ready = await fetch(`${service.url}/readyz`);
  assert.match(await ready.text(), /damaged/);
});
