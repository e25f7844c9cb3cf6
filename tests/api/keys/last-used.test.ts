// The last use of a key, its time and the client's IP address, is saved in batches, so that not every request causes a
// write.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { KeyId } from '../../../src/kernel/ids.ts';
import { asKeyId } from '../../../src/kernel/ids.ts';
import type { LastUse } from '../../../src/kernel/keys/key-records.ts';
import { makeLastUsed } from '../../../src/kernel/keys/last-used-turn.ts';
import { readCommitMark } from '../../support/disturb-records.ts';
import { readRecords } from '../../support/engine.ts';
import { makeFolder } from '../../support/run-gastpass.ts';
import { startTestService } from '../../support/test-service.ts';
import { forgeKey, idOf } from './forge-key.ts';

test('list requests do not write to the database', async (t) => {
  // Background jobs write whenever they are due: leases, and the last uses of keys every ten seconds.
  const service = await startTestService({ jobs: false });
  t.after(() => service.stop());
  const key = await service.issueKey('read');

  const before = readCommitMark(service);
  for (let count = 0; count < 100; count++) {
    service.clock.advance(1);
    await service.call('GET', 'vouchers.php?site_id=1', { key });
  }
  assert.deepEqual(readCommitMark(service), before, 'a request wrote to the database');
  await service.issueKey('read');
  assert.notDeepEqual(readCommitMark(service), before, 'a write does not change the commit mark');
});

test('the last use of a key is saved when the service stops; a refused use is not saved', async (t) => {
  const { folder: dataDir, remove } = makeFolder();
  t.after(remove);
  const service = await startTestService({ dataDir, environment: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  const [used, unused] = [await service.issueKey('read'), await service.issueKey('read')];
  await service.call('GET', 'sites.php', { key: used });
  service.clock.advance(5_000);
  await service.call('GET', 'sites.php', { key: used, headers: { 'x-forwarded-for': '2001:db8::7' } });
  const lastUsedAtMs = service.clock.nowMs();
  await service.call('GET', 'sites.php', { key: forgeKey(idOf(unused), 'C'.repeat(32)) });
  service.clock.advance(5_000);
  await service.stop();

  const lastUseOf = (key: string) => ({
    ...readRecords(dataDir, 'select last_used_at_ms, last_used_ip from api_keys where id = ?', idOf(key))[0],
  });
  assert.deepEqual(lastUseOf(used), { last_used_at_ms: lastUsedAtMs, last_used_ip: '2001:db8::7' });
  assert.deepEqual(lastUseOf(unused), { last_used_at_ms: null, last_used_ip: null });
});

test('many uses of several keys cause one write, and no uses cause no write', async () => {
  const writes: ReadonlyMap<KeyId, LastUse>[] = [];
  const lastUsed = makeLastUsed({ saveLastUsed: async (batch) => void writes.push(batch) });
  await lastUsed.save();
  assert.equal(writes.length, 0);

  const [one, other] = [asKeyId('one'), asKeyId('other')];
  for (let atMs = 1; atMs <= 1_000; atMs++) lastUsed.note(atMs % 2 ? one : other, atMs, '192.0.2.1');
  await lastUsed.save();
  await lastUsed.save();
  assert.deepEqual(writes, [
    new Map([
      [one, { atMs: 999, ip: '192.0.2.1' }],
      [other, { atMs: 1_000, ip: '192.0.2.1' }],
    ]),
  ]);
});
