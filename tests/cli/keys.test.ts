// Tests the real command `gastpass keys …`: creating, listing, changing and revoking API keys.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { keyIdOf } from '../../src/kernel/keys/api-key.ts';
import { type Ended, makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

const gastpass = (...words: string[]): Promise<Ended> => runGastpass(words, { dataDir });

async function listed(id: string): Promise<Record<string, unknown> | undefined> {
  const { code, stdout, stderr } = await gastpass('keys', 'list', '--json');
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const keys: Record<string, unknown>[] = JSON.parse(stdout);
  return keys.find((key) => key.id === id);
}

let keyText: string;
let id: string;
before(async () => {
  await makeDatabase(dataDir);
  const empty = await gastpass('keys', 'list');
  assert.match(empty.stdout, /^No keys yet. Issue one: gastpass keys create/);

  const { code, stdout, stderr } = await gastpass('keys', 'create', '--name', 'Theke', '--scope', 'write');
  assert.equal(stderr, '');
  assert.equal(code, 0);
  keyText = stdout.trimEnd();
  id = keyIdOf(keyText) ?? '';
});

test('keys create prints only the key on stdout', () => {
  assert.match(keyText, /^gpk_[0-9A-Za-z]{46}$/);
  assert.equal(id.length, 8);
});

test('keys list shows the name, scope and limit of a key, but not the key itself', async () => {
  const { created_at, ...rest } = (await listed(id)) ?? {};
  assert.deepEqual(rest, {
    id,
    name: 'Theke',
    scope: 'write',
    rate_limit: 0,
    sites: 'all',
    expires: null,
    note: '',
    last_used_at: null,
    last_used_ip: null,
    revoked_at: null,
  });
  assert.match(String(created_at), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

  const { stdout } = await gastpass('keys', 'list');
  const [head, row] = stdout.trimEnd().split('\n');
  assert.deepEqual((head ?? '').split(/ +/), [
    ...['ID', 'NAME', 'SCOPE', 'RATE_LIMIT', 'SITES', 'EXPIRES', 'NOTE'],
    ...['CREATED_AT', 'LAST_USED_AT', 'LAST_USED_IP', 'REVOKED_AT'],
  ]);
  assert.match(row ?? '', new RegExp(`^${id} +Theke +write +0 +all +- +\\S+ +- +- +-$`));
  assert.ok(!stdout.includes(keyText.slice(12)), stdout);
});

test('keys create --json prints the key with its id, name, scope and limit', async () => {
  const words = ['keys', 'create', '--name', 'Anzeige', '--scope', 'read', '--rate-limit', '60', '--json'];
  const { code, stdout } = await gastpass(...words);
  assert.equal(code, 0);
  const { id: madeId, key, ...rest } = JSON.parse(stdout);
  assert.deepEqual(rest, {
    name: 'Anzeige',
    scope: 'read',
    rate_limit: 60,
    sites: 'all',
    expires: null,
    note: '',
  });
  assert.equal(keyIdOf(key), madeId);
});

test('keys set changes limit and scope, and leaves the value that is not given', async () => {
  const limited = await gastpass('keys', 'set', id, '--rate-limit', '1000000');
  assert.deepEqual([limited.code, limited.stdout, limited.stderr], [0, '', '']);
  const scoped = await gastpass('keys', 'set', id, '--scope', 'read');
  assert.equal(scoped.code, 0);
  const key = await listed(id);
  assert.equal(key?.rate_limit, 1_000_000);
  assert.equal(key?.scope, 'read');
});

test('a key is bound to sites, gets an expiry date and a note, and each is changed and removed by itself', async () => {
  const site = async (name: string) => {
    const { stdout } = await gastpass('sites', 'add', '--name', name, '--controller', 'simulator');
    return stdout.trim();
  };
  const [one, two] = [await site('Haus A'), await site('Haus B')];
  const bound = ['--site', two, '--site', one, '--site', two];
  const made = await gastpass(
    ...['keys', 'create', '--name', 'Aushilfe', '--scope', 'write', ...bound],
    ...['--expires', '2999-12-31', '--note', ' Nur im Sommer ', '--json'],
  );
  const key = JSON.parse(made.stdout);
  const expected = { sites: [Number(one), Number(two)], expires: '2999-12-31', note: 'Nur im Sommer' };
  assert.partialDeepStrictEqual(key, expected);
  assert.partialDeepStrictEqual(await listed(key.id), expected);
  const { stdout } = await gastpass('keys', 'list');
  assert.match(stdout, new RegExp(`Aushilfe +write +0 +${one},${two} +2999-12-31 +Nur im Sommer `));

  const set = async (...words: string[]) => {
    const { code, stderr } = await gastpass('keys', 'set', key.id, ...words);
    assert.deepEqual([code, stderr], [0, '']);
    const { sites, expires, note } = (await listed(key.id)) ?? {};
    return { sites, expires, note };
  };
  assert.deepEqual(await set('--site', two), { ...expected, sites: [Number(two)] });
  assert.deepEqual(await set('--expires', 'never'), { ...expected, sites: [Number(two)], expires: null });
  assert.deepEqual(await set('--note', ''), { sites: [Number(two)], expires: null, note: '' });
  assert.deepEqual(await set('--all-sites'), { sites: 'all', expires: null, note: '' });
});

test('a key cannot be bound to a site that does not exist', async () => {
  for (const words of [
    ['keys', 'create', '--name', 'x', '--scope', 'read', '--site', '4711'],
    ['keys', 'set', id, '--site', '4711'],
  ]) {
    const { code, stdout, stderr } = await gastpass(...words);
    assert.match(stderr, /there is no site 4711; see gastpass sites list/);
    assert.deepEqual([code, stdout], [1, '']);
  }
  assert.equal((await listed(id))?.sites, 'all');
});

test('a revoked key is listed as revoked and cannot be changed or revoked again', async () => {
  const revoked = await gastpass('keys', 'revoke', id);
  assert.deepEqual([revoked.code, revoked.stdout, revoked.stderr], [0, '', '']);
  assert.match(String((await listed(id))?.revoked_at), /^\d{4}-/);

  for (const words of [
    ['keys', 'revoke', id],
    ['keys', 'set', id, '--scope', 'write'],
  ]) {
    const { code, stdout, stderr } = await gastpass(...words);
    assert.match(stderr, new RegExp(`there is no active key "${id}"; see gastpass keys list`));
    assert.equal(stdout, '');
    assert.equal(code, 1);
  }
});

test('revoking an unknown key fails', async () => {
  const { code, stdout, stderr } = await gastpass('keys', 'revoke', 'nosuchid');
  assert.match(stderr, /there is no active key "nosuchid"/);
  assert.equal(stdout, '');
  assert.equal(code, 1);
});
