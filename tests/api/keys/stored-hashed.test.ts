// Only the id and the SHA-256 hash of a key are stored. The key itself is in no file and in no log line.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { TESTER } from '../../support/actors.ts';
import { dumpRecords } from '../../support/disturb-records.ts';
import { engine } from '../../support/engine.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { forgeKey, idOf, secretOf } from './forge-key.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

/**
 * All bytes that the service has written, including the database's write-ahead log. The files of a PostgreSQL server
 * cannot be read, so its records are dumped instead.
 */
function allStored(): string {
  const { dataDir } = service.config;
  const files = readdirSync(dataDir).map((name) => readFileSync(join(dataDir, name), 'latin1'));
  return [...files, ...(engine === 'sqlite' ? [] : [dumpRecords(service)])].join('\n');
}

// Contract: The service stores keys only in hashed form (SHA-256) and finds …
test('the database contains the id and the SHA-256 hash of a key, and no part of its secret', async () => {
  const keys = [service.keyText, await service.issueKey('read', 3, 'Empfang')];
  for (const key of keys) {
    await service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'x' } });
    const headers = { 'idempotency-key': 'abc' };
    await service.call('POST', 'vouchers.php', { key, headers, body: { site_id: 1, name: 'y' } });
    await service.beside.keys.change(
      (await service.beside.keys.list())[0]?.id ?? assert.fail('no key'),
      { rateLimit: 0 },
      { actor: TESTER, atMs: 1 },
    );
  }

  const stored = allStored();
  for (const key of keys) {
    const hash = createHash('sha256').update(key).digest('hex');
    const row = service.rows('select key_hash from api_keys where id = ?', idOf(key))[0];
    assert.equal(row?.key_hash, hash);
    assert.ok(stored.includes(hash), 'the search does not find the stored hash');
    assert.ok(stored.includes(idOf(key)));
    for (let start = 0; start + 12 <= 32; start++)
      assert.ok(!stored.includes(secretOf(key).slice(start, start + 12)), 'part of a secret is stored');
  }
});

test('no key, valid or wrong, is in the log, wherever the request contains it', async () => {
  const good = service.keyText;
  const wrong = forgeKey(idOf(good), 'B'.repeat(32));
  for (const key of [good, wrong]) {
    await service.call('GET', `vouchers.php?site_id=1&api_key=${key}`, { key });
    await service.call('GET', 'sites.php', { key: null, headers: { 'x-api-key': key } });
    await service.call('GET', `${key}.php`, { key });
    const body = { site_id: 1, name: key };
    await service.call('POST', 'vouchers.php', { key, headers: { 'idempotency-key': key }, body });
    await service.call('POST', 'vouchers.php', { key, body: `{"key":"${key}"` });
  }
  const log = JSON.stringify(service.logLines);
  assert.ok(log.includes(idOf(good)), 'the id is logged, so the search would find a key');
  assert.ok(!log.includes(secretOf(good)));
  assert.ok(!log.includes('B'.repeat(32)));
});

// Contract: The service stores keys only in hashed form (SHA-256) and finds …
test('a key is found by its id, which is a unique prefix of the key', async () => {
  const key = await service.issueKey('read');
  assert.throws(
    () =>
      service.change(
        `insert into api_keys (id, name, scope, rate_limit, key_hash, created_at_ms)
         values (?, 'x', 'read', 0, 'x', 0)`,
        idOf(key),
      ),
    /unique/i,
  );
  assert.ok(key.startsWith(`gpk_${idOf(key)}`));
  assert.equal((await service.call('GET', 'sites.php', { key })).status, 200);
});
