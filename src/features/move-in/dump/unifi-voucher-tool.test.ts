// Tests the parts of reading Unifi-Voucher-Tool that need no database: its secrets, its times, and what is left out.

import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import type { MovedInKey, MovedInSite, MovedInUser } from '../moved-in-data.ts';
import { planMoveIn } from '../plan-move-in.ts';
import { Remarks } from '../report.ts';
import { findAppKey, openSecret } from './app-key.ts';
import { readDumpTime } from './dump-times.ts';
import { readUnifiVoucherTool } from './unifi-voucher-tool.ts';

const key = randomBytes(32);

function sealWithSodium(plain: string): string {
  const nonce = randomBytes(24);
  return `enc:v1:${Buffer.concat([nonce, xsalsa20poly1305(key, nonce).encrypt(Buffer.from(plain))]).toString('base64')}`;
}

function sealWithOpenssl(plain: string): string {
  const iv = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, iv);
  const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
  return `enc:v1:${Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64')}`;
}

test('secrets of both kinds are opened with the right key only; plain texts stay as they are', () => {
  for (const seal of [sealWithSodium, sealWithOpenssl])
    for (const plain of ["pa:ss'wörd\\1", 'x', '']) {
      assert.equal(openSecret(seal(plain), key), plain);
      assert.equal(openSecret(seal(plain), randomBytes(32)), undefined);
      assert.equal(openSecret(seal(plain), undefined), undefined);
    }
  assert.equal(openSecret('plain', undefined), 'plain');
  for (const broken of ['enc:v1:', 'enc:v1:####', `enc:v1:${'A'.repeat(40)}`])
    assert.equal(openSecret(broken, key), undefined, broken);
});

test('the key is found alone in a file and in config.php', () => {
  const text = key.toString('base64');
  for (const file of [
    text,
    ` ${text}\n`,
    `<?php\ndefine('APP_KEY', '${text}');`,
    `const APP_KEY = "${text}";`,
  ])
    assert.deepEqual(findAppKey(file), key, file);
  for (const file of ['', 'geheim', "define('APP_KEY', '');", text.slice(4)])
    assert.equal(findAppKey(file), undefined, file);
});

test('times count by the offset of the dump, or in the time zone of the server', () => {
  const at = (text: string | null, zone: string | null) => {
    const ms = readDumpTime(text, { zone, timeZone: 'Europe/Berlin' });
    return ms === null ? null : new Date(ms).toISOString();
  };
  assert.equal(at('2026-01-15 09:40:00', '+00:00'), '2026-01-15T09:40:00.000Z');
  assert.equal(at('2026-01-15 09:40:00', '-05:30'), '2026-01-15T15:10:00.000Z');
  assert.equal(at('2026-01-15 09:40:00', null), '2026-01-15T08:40:00.000Z');
  assert.equal(at('2026-07-15 09:40:00', null), '2026-07-15T07:40:00.000Z');
  for (const none of ['0000-00-00 00:00:00', '', 'gestern', null]) assert.equal(at(none, null), null);
});

test('two keys with one prefix, a second site of one console site and a second user of one address are left out', () => {
  const site = (id: number, change: Partial<MovedInSite> = {}): MovedInSite => ({
    id,
    name: `Haus ${id}`,
    controllerSite: 'default',
    url: `https://192.0.2.${id}`,
    username: 'bot',
    password: 'x',
    wasActive: true,
    createdAtMs: 0,
    ...change,
  });
  const user = (id: number, email: string): MovedInUser => ({
    id,
    email,
    name: '',
    isAdmin: false,
    isActive: true,
    passwordHash: null,
    totp: null,
    createdAtMs: 0,
  });
  const apiKey = (name: string, prefix: string): MovedInKey => ({
    name,
    prefix,
    hash: '0'.repeat(64),
    scope: 'read',
    rateLimit: 0,
    isActive: true,
    createdAtMs: 0,
    lastUsedAtMs: null,
  });
  const remarks = new Remarks();
  const plan = planMoveIn(
    {
      sites: [site(1, { wasActive: false, url: 'https://192.0.2.2' }), site(2), site(2), site(3)],
      users: [user(1, 'a@example.org'), user(2, 'a@example.org')],
      grants: [
        { userId: 1, siteId: 3 },
        { userId: 1, siteId: 1 },
        { userId: 2, siteId: 3 },
      ],
      keys: [apiKey('A', '00000000'), apiKey('B', '00000000'), apiKey('C', '00000001')],
    },
    remarks,
  );
  assert.deepEqual(
    [plan.sites.map(({ id }) => id), plan.users.map(({ id }) => id), plan.keys.map(({ name }) => name)],
    [[2, 3], [1], ['C']],
  );
  assert.deepEqual(plan.grants, [{ userId: 1, siteId: 3 }]);
  assert.deepEqual(
    remarks.list().map(({ table, count, examples }) => [table, count, examples]),
    [
      ['sites', 1, ['2 (Haus 2)']],
      ['sites', 1, ['1 (Haus 1)']],
      ['users', 1, ['a@example.org']],
      ['api_keys', 2, ['A', 'B']],
      ['user_site_access', 2, ['user 1, site 1', 'user 2, site 3']],
    ],
  );
});

test('a NUL in the dump becomes visible with a remark, and makes nobody another user', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'dump.sql');
  writeFileSync(
    file,
    `INSERT INTO \`sites\` (\`id\`, \`name\`, \`unifi_controller_url\`) VALUES (1, 'Haus\\0 A', 'https://192.0.2.1');
INSERT INTO \`users\` (\`id\`, \`email\`, \`name\`) VALUES (1, 'Victim@example.org', 'V'), (2, 'victim\\0@example.org', 'W'),
  (3, '\u212Aarl@example.org', 'K'), (4, 'karl@zürich.ch', 'L');
`,
  );
  const { data, remarks } = await readUnifiVoucherTool({ file, appKey: undefined, timeZone: 'UTC' });
  assert.deepEqual(
    data.users.map(({ email }) => email),
    ['victim@example.org', 'karl@xn--zrich-kva.ch'],
  );
  assert.equal(data.sites[0]?.name, 'Haus\ufffd A');
  const said = remarks.list().map(({ table, why, examples }) => `${table} ${why}: ${examples.join(', ')}`);
  for (const remark of [
    /^sites contains a NUL character, which cannot be stored: � stands in its place: line 1$/,
    /^users contains a NUL character, .*: line 2$/,
    /^users left out: no usable e-mail address \(plain ASCII is needed\): victim�@example\.org, \u212Aarl@example\.org$/,
  ])
    assert.ok(
      said.some((text) => remark.test(text)),
      said.join('\n'),
    );
});

test('names without invisible characters and changed addresses are named in remarks', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'dump.sql');
  writeFileSync(
    file,
    `INSERT INTO \`sites\` (\`id\`, \`name\`, \`unifi_controller_url\`, \`is_active\`) VALUES
(1, 'Haus\u202e A', 'http://bot:geheim@192.0.2.1:8443/', 1), (2, 'Haus B', 'https://192.0.2.2/', 1);
INSERT INTO \`users\` (\`id\`, \`email\`, \`name\`) VALUES (1, 'a@example.org', 'An\u200bna');
`,
  );
  const { data, remarks } = await readUnifiVoucherTool({ file, appKey: undefined, timeZone: 'UTC' });
  assert.deepEqual(
    [...data.sites, ...data.users].map(({ name }) => name),
    ['Haus A', 'Haus B', 'Anna'],
  );
  const said = remarks.list().map(({ table, why, examples }) => `${table} ${why}: ${examples.join(', ')}`);
  for (const remark of [
    'sites characters that cannot be seen were removed from the name: Haus A',
    'users characters that cannot be seen were removed from the name: Anna',
    'sites the address of the console was changed: 1 (Haus A): https://192.0.2.1:8443',
  ])
    assert.ok(said.includes(remark), said.join('\n'));
});
