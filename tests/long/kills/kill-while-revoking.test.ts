// A service that is killed while it revokes many vouchers: after the restart the rest is revoked, the console has none
// of the vouchers, and each revocation is audited once.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, test } from 'node:test';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { openInstallation } from '../../../src/app/installation.ts';
import { asBulkRevocationId, asSiteId, asUserId } from '../../../src/kernel/ids.ts';
import { makeCreateVouchers } from '../../../src/kernel/vouchers/create-vouchers.ts';
import { TESTER } from '../../support/actors.ts';
import { makeFolder, startGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';
import { unobserved } from '../../support/unobserved.ts';
import { until } from '../../support/until.ts';

const COUNT = 40;
const LATENCY_MS = 60;

const { folder: dataDir, remove } = makeFolder();
after(remove);

test('a bulk revocation survives a kill', async (t) => {
  const console = await startSimulatedConsole({ latencyMs: LATENCY_MS });
  t.after(() => console.stop());
  const beside = await openInstallation(await configOf(dataDir));
  t.after(() => beside.close());
  const audit = { actor: TESTER, atMs: beside.clock.nowMs() };
  const { url, apiKey, fingerprint256 } = console;
  const connection = { url, credentials: { apiKey }, trust: { kind: 'pinned' as const, fingerprint256 } };
  const kind = { controllerKind: 'unifi', controllerSite: 'default' } as const;
  const siteId = asSiteId(
    await beside.sites.add({ name: 'Haus A', active: true, ...kind, connection }, audit),
  );
  const user = { email: 'rita@example.org', name: 'Rita', role: 'admin' as const, createdAtMs: audit.atMs };
  const userId = asUserId(Number(await beside.users.add({ ...user, passwordHash: '-' }, audit)));

  const create = makeCreateVouchers({ ...beside, ...unobserved, timeZone: 'Europe/Berlin' });
  const limits = { maxUses: 1, expireMinutes: 480, downKbps: 0, upKbps: 0, quotaMb: 0 };
  await create({ siteId, name: 'Tagung', ...limits }, COUNT, { actor: TESTER, userId });
  const search = { siteIds: [siteId], limit: COUNT, nowS: Math.floor(audit.atMs / 1000) };
  const { vouchers } = await beside.finder.search(search);
  assert.equal(vouchers.length, COUNT);
  const id = asBulkRevocationId(randomUUID());
  const about = { id, batchId: null, onlyUnused: false, vouchers };
  await beside.bulkRevocations.begin({ ...about, userId, ip: '192.0.2.1', createdAtMs: audit.atMs });

  const environment = { GASTPASS_DEMO: '0', LOG_LEVEL: 'silent', SYNC_INTERVAL_S: '86400' };
  const first = await startGastpass({ dataDir, environment });
  await until(async () => (await beside.bulkRevocations.tally(id)).revoked > 2);
  await first.stop('SIGKILL');
  const { awaiting } = await beside.bulkRevocations.tally(id);
  assert.ok(awaiting > 0, 'the kill came too late');

  // PostgreSQL: the lease of the killed process would expire after ten seconds.
  await beside.leases.releaseAll();
  const second = await startGastpass({ dataDir, environment });
  t.after(() => second.stop());
  await until(async () => (await beside.bulkRevocations.find(id))?.endedAtMs !== null);
  assert.partialDeepStrictEqual(await beside.bulkRevocations.tally(id), { revoked: COUNT, awaiting: 0 });
  assert.deepEqual(console.controls.vouchers(), []);
  const { entries } = await beside.searchAudit({ action: 'voucher.revoked', limit: 2 * COUNT });
  assert.equal(entries.length, COUNT);
  assert.equal(new Set(entries.map(({ subject }) => subject)).size, COUNT);
});
