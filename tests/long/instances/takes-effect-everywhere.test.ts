// A change on one instance takes effect on every other instance with the very next request.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { asKeyId, asSiteId } from '../../../src/kernel/ids.ts';
import { keyIdOf, type Scope } from '../../../src/kernel/keys/api-key.ts';
import type { KeyChange } from '../../../src/kernel/keys/key-records.ts';
import { makeRevocationUseCases } from '../../../src/kernel/vouchers/revocation-use-cases.ts';
import { TESTER } from '../../support/actors.ts';
import { callApi, runGastpass } from '../../support/run-gastpass.ts';

const ROUNDS = 10;

let fleet: Fleet;
let siteId: number;
let writeKey: string;
before(async () => {
  fleet = await startFleet(3);
  ({ siteId } = await fleet.addConsole('unifi'));
  writeKey = await fleet.issueKey('write');
});
after(() => fleet.stop());

const audit = { actor: TESTER, atMs: Date.now() };
const idOf = (key: string) => keyIdOf(key) ?? asKeyId('');

/** Sends the same request to each instance and returns the statuses. */
function askAll(key: string, path = `vouchers.php?site_id=${siteId}`, body?: unknown): Promise<number[]> {
  return Promise.all(
    fleet.instances.map(async (instance) => (await callApi(instance, { key, path, body })).status),
  );
}

/** Returns the list of one instance; a 304 has no body. */
async function list(index: number, etag?: string) {
  const headers = { authorization: `Bearer ${writeKey}`, ...(etag && { 'if-none-match': etag }) };
  const url = `${fleet.instances[index]?.url}/api/vouchers.php?site_id=${siteId}`;
  const response = await fetch(url, { headers });
  return { status: response.status, etag: response.headers.get('etag') ?? '', text: await response.text() };
}

async function create(index: number, headers = {}): Promise<ReturnType<typeof JSON.parse>> {
  const instance = fleet.instances[index];
  assert.ok(instance);
  const body = { site_id: siteId, name: 'Gruppe' };
  const { status, json } = await callApi(instance, { key: writeKey, body, headers });
  assert.equal(status, 201, JSON.stringify(json));
  return json;
}

test('every instance refuses a revoked key from the next request on', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const key = await fleet.issueKey('read');
    assert.deepEqual(await askAll(key), [200, 200, 200]);
    assert.equal(await fleet.beside.keys.revoke(idOf(key), audit), true);
    assert.deepEqual(await askAll(key), [401, 401, 401]);
  }
});

test('a key revoked on the command line is refused by the running instances', async () => {
  const key = await fleet.issueKey('read');
  assert.deepEqual(await askAll(key), [200, 200, 200]);
  const { dataDir, environment } = fleet;
  const { code, stderr } = await runGastpass(['keys', 'revoke', idOf(key)], { dataDir, environment });
  assert.deepEqual([code, stderr], [0, '']);
  assert.deepEqual(await askAll(key), [401, 401, 401]);
});

test('a changed scope takes effect on every instance', async () => {
  const key = await fleet.issueKey('read');
  const order = { site_id: siteId, name: 'Zimmer 12' };
  const allow = (scope: Scope) => fleet.beside.keys.change(idOf(key), { scope }, audit);
  assert.deepEqual(await askAll(key, 'vouchers.php', order), [403, 403, 403]);
  await allow('write');
  assert.deepEqual(await askAll(key, 'vouchers.php', order), [201, 201, 201]);
  await allow('read');
  assert.deepEqual(await askAll(key, 'vouchers.php', order), [403, 403, 403]);
});

test('a changed rate limit takes effect on every instance, within the current window', async () => {
  const key = await fleet.issueKey('read');
  const limit = (rateLimit: number) => fleet.beside.keys.change(idOf(key), { rateLimit }, audit);
  assert.deepEqual(await askAll(key), [200, 200, 200]);
  await limit(3);
  assert.deepEqual(await askAll(key), [200, 200, 200]);
  assert.deepEqual(await askAll(key), [429, 429, 429]);
  await limit(6);
  assert.deepEqual(await askAll(key), [200, 200, 200]);
  assert.deepEqual(await askAll(key), [429, 429, 429]);
  await limit(0);
  assert.deepEqual(await askAll(key), [200, 200, 200]);
});

test('a key that loses a site or expires does so on every instance', async () => {
  const key = await fleet.issueKey('write');
  const order = { site_id: siteId, name: 'Zimmer 12' };
  const restrict = (change: KeyChange) => fleet.beside.keys.change(idOf(key), change, audit);
  assert.deepEqual(await askAll(key, 'vouchers.php', order), [201, 201, 201]);
  await restrict({ sites: [] });
  assert.deepEqual(await askAll(key, 'vouchers.php', order), [404, 404, 404]);
  await restrict({ sites: [asSiteId(siteId)] });
  assert.deepEqual(await askAll(key, 'vouchers.php', order), [201, 201, 201]);
  await restrict({ expiresAtMs: Date.now() - 1 });
  assert.deepEqual(await askAll(key), [401, 401, 401]);
  await restrict({ expiresAtMs: null });
  assert.deepEqual(await askAll(key), [200, 200, 200]);
});

test('a deactivated site takes no orders on any instance', async () => {
  const { siteId: other } = await fleet.addConsole('unifi');
  const order = { site_id: other, name: 'Zimmer 12' };
  assert.deepEqual(await askAll(writeKey, 'vouchers.php', order), [201, 201, 201]);
  const site = (await fleet.beside.sites.list()).find(({ id }) => id === other);
  assert.ok(site);
  await fleet.beside.sites.change(site.id, { active: false }, audit);
  assert.deepEqual(await askAll(writeKey, 'vouchers.php', order), [404, 404, 404]);
});

test('a voucher created on one instance is in the very next list of every other instance', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { code } = await create(round % 3);
    const lists = await Promise.all([list(0), list(1), list(2)]);
    for (const { text } of lists) assert.ok(text.includes(code));
    assert.equal(new Set(lists.map(({ etag }) => etag)).size, 1, 'equal lists have equal ETags');
  }
});

test('an ETag of one instance gets 304 from another instance until the list changes, and no longer', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [one, other] = [round % 3, (round + 1) % 3];
    const { etag } = await list(one);
    assert.deepEqual(await list(other, etag), { status: 304, etag, text: '' });
    const { code } = await create(one);
    const { status, text } = await list(other, etag);
    assert.equal(status, 200);
    assert.ok(text.includes(code));
  }
});

test('a repeated order gets its first response, whichever instance it is sent to', async () => {
  const headers = { 'idempotency-key': 'across-instances' };
  const { code } = await create(0, headers);
  assert.equal((await create(1, headers)).code, code);
  assert.equal((await create(2, headers)).code, code);
});

/** Sends equal requests with one Idempotency-Key to all instances at once. Returns the code of the only new voucher. */
async function raceForOneVoucher(): Promise<string> {
  const before = (await fleet.database.rows('select id from vouchers')).length;
  const responses = await Promise.all(
    Array.from({ length: 30 }, async (_, number) => {
      const instance = fleet.instances[number % 3];
      assert.ok(instance);
      const body = { site_id: siteId, name: 'Zimmer 14' };
      return callApi(instance, { key: writeKey, body, headers: { 'idempotency-key': 'race' } });
    }),
  );
  const created = responses.filter(({ status }) => status !== 409);
  assert.deepEqual([...new Set(created.map(({ status }) => status))], [201]);
  const [code, ...others] = new Set(created.map(({ json }) => String(json.code)));
  assert.deepEqual(others, []);
  assert.equal((await fleet.database.rows('select id from vouchers')).length, before + 1);
  return code ?? '';
}

test('of equal requests with one Idempotency-Key to all instances at once, one creates a voucher', async () => {
  const codes = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const code = await raceForOneVoucher();
    codes.add(code);
    // A revoked voucher frees its key: the next round begins anew.
    const voucher = await fleet.beside.revocations.findByCode(asSiteId(siteId), code);
    assert.ok(voucher);
    assert.equal(await makeRevocationUseCases(fleet.beside).revokeVoucher(voucher, audit), undefined);
  }
  assert.equal(codes.size, ROUNDS);
});
