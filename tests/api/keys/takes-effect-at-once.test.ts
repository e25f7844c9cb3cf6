// Changes to a key on the command line or through another connection take effect with the next request, although the
// service caches keys in memory.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';
import { runGastpass } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { idOf } from './forge-key.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.stop());

async function gastpass(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGastpass(words, { dataDir: service.config.dataDir });
  assert.deepEqual([code, stderr], [0, '']);
  return stdout.trim();
}

const statusOf = async (key: string) => (await service.call('GET', 'sites.php', { key })).status;

test('a key revoked on the command line is refused with 401 from the next request on', async () => {
  const key = await service.issueKey('read');
  assert.equal(await statusOf(key), 200);
  await gastpass('keys', 'revoke', idOf(key));
  assert.equal(await statusOf(key), 401);
});

test('a key created on the command line works immediately', async () => {
  const key = await gastpass('keys', 'create', '--name', 'Kasse', '--scope', 'read');
  assert.equal(await statusOf(key), 200);
});

test('a scope changed on the command line takes effect with the next request', async () => {
  const key = await service.issueKey('write');
  const create = async () =>
    (await service.call('POST', 'vouchers.php', { key, body: { site_id: 1, name: 'x' } })).status;
  assert.equal(await create(), 201);
  await gastpass('keys', 'set', idOf(key), '--scope', 'read');
  assert.equal(await create(), 403);
  await gastpass('keys', 'set', idOf(key), '--scope', 'write');
  assert.equal(await create(), 201);
});

test('sites and an expiry date set on the command line take effect with the next request', async () => {
  const key = await service.issueKey('read');
  const own = await service.addSite('default', 'Haus B');
  const siteIds = async () => {
    const { json } = await service.call('GET', 'sites.php', { key });
    return json.sites.map(({ id }: { id: number }) => id);
  };
  assert.deepEqual(await siteIds(), [1, own]);
  await gastpass('keys', 'set', idOf(key), '--site', String(own));
  assert.deepEqual(await siteIds(), [own]);
  await gastpass('keys', 'set', idOf(key), '--all-sites', '--expires', '2999-12-31');
  assert.deepEqual(await siteIds(), [1, own]);
  service.clock.advance(Date.parse('3000-01-01T00:00:00Z') - service.clock.nowMs());
  assert.equal(await statusOf(key), 401);
  await gastpass('keys', 'set', idOf(key), '--expires', 'never');
  assert.equal(await statusOf(key), 200);
});

test('a revocation takes effect with the next request, even if an open connection sends it within a millisecond', async () => {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname).setEncoding('utf8');
  const statusAtOnce = async (key: string) => {
    socket.write(`GET ${service.config.basePath}/sites.php HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n\r\n`);
    return String((await once(socket, 'data'))[0]).slice(9, 12);
  };
  const keys = await Promise.all(Array.from({ length: 15 }, () => service.issueKey('read')));
  for (const key of keys) {
    assert.equal(await statusAtOnce(key), '200');
    service.change('update api_keys set revoked_at_ms = 1 where id = ?', idOf(key));
    assert.equal(await statusAtOnce(key), '401');
  }
  socket.destroy();
});

test('a revocation takes effect with the next request, even under load', async () => {
  for (let round = 0; round < 20; round++) {
    const key = await service.issueKey('read');
    const others = Array.from({ length: 5 }, () => statusOf(service.keyText));
    assert.equal(await statusOf(key), 200);
    service.change('update api_keys set revoked_at_ms = 1 where id = ?', idOf(key));
    assert.equal(await statusOf(key), 401);
    assert.deepEqual(new Set(await Promise.all(others)), new Set([200]));
  }
});
