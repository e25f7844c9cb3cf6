// Tests the real command `gastpass move-in`: a dump of Unifi-Voucher-Tool becomes an installation in which its keys,
// passwords, second factors and vouchers work, and a sync with the console doubles nothing.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { xsalsa20poly1305 } from '@noble/ciphers/salsa.js';
import bcrypt from 'bcryptjs';
import { presentVoucher } from '../../../packages/unifi-console/src/classic/present.ts';
import { startSimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { codeOfStep, stepAt } from '../../../src/kernel/users/totp.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { makeFakeClock } from '../../support/fake-clock.ts';
import { makeDatabase, makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { makeWebClient } from '../../web/web-client.ts';

const SECRET = 'JBSWY3DPEHPK3PXP';
const [CHIEF, DESK] = ['chefin@example.org', 'theke@example.org'];
const KEYS = {
  write: `uvt_0a${'1f'.repeat(19)}`,
  read: `uvt_0b${'2e'.repeat(19)}`,
  off: `uvt_0c${'3d'.repeat(19)}`,
};
const TWINS = [`uvt_0d0d0d0d${'4c'.repeat(16)}`, `uvt_0d0d0d0d${'5b'.repeat(16)}`];

const { folder: dataDir, remove } = makeFolder();
const clock = makeFakeClock();
const unifi = await startSimulatedConsole({
  flavour: 'unifi-os',
  clock: clock.nowMs,
  password: "pa:ss'wörd\\1",
});
const { url, username, password, fingerprint256, controls } = unifi;
const appKey = randomBytes(32);
const [dump, keyFile] = [join(dataDir, 'dump.sql'), join(dataDir, 'config.php')];
const [used, listed, gone] = [fill('2026-01-14_Zimmer 1', 2), fill('2026-01-14_Zimmer 2', 1), fill('weg', 1)];
let service: TestService | undefined;

function fill(note: string, quota: number) {
  const [voucher] = controls.fill({ note, quota });
  assert.ok(voucher);
  return { code: voucher.code, id: String(presentVoucher(voucher, 0)._id) };
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const quote = (value: string | number | null) =>
  typeof value === 'string'
    ? `'${value.replace(/[\\']/g, '\\$&').replaceAll('\n', '\\n')}'`
    : String(value ?? 'NULL');
const insert = (table: string, ...rows: (string | number | null)[][]) =>
  `INSERT INTO \`${table}\` VALUES ${rows.map((row) => `(${row.map(quote).join(',')})`).join(',\n')};\n`;

function seal(plain: string): string {
  const nonce = randomBytes(24);
  const box = xsalsa20poly1305(appKey, nonce).encrypt(Buffer.from(plain));
  return `enc:v1:${Buffer.concat([nonce, box]).toString('base64')}`;
}

/** Our own dump, in the form of the tool: without names of columns. */
function writeDump(): void {
  const at = '2026-01-14 10:00:00';
  const hash = (text: string) => bcrypt.hashSync(text, 4).replace('$2b$', '$2y$');
  const keyRow = (id: number, keyText: string, scope: string, limit: number, active: number) => [
    id,
    `Key ${id}`,
    keyText.slice(4, 12),
    sha256(keyText),
    scope,
    limit,
    1,
    null,
    active,
    at,
  ];
  const voucher = (
    id: number,
    code: string,
    name: string,
    more: { id?: string; status?: string; by?: number },
  ) => [
    id,
    4,
    more.by ?? null,
    code,
    name,
    2,
    60,
    at,
    more.id ?? null,
    more.status ?? 'valid',
    0,
    at,
    0,
    null,
  ];
  writeFileSync(
    dump,
    [
      "/*!40103 SET TIME_ZONE='+00:00' */;\n",
      insert(
        'api_keys',
        keyRow(1, KEYS.write, 'write', 0, 1),
        keyRow(2, KEYS.read, 'read', 60, 1),
        keyRow(3, KEYS.off, 'write', 0, 0),
        ...TWINS.map((text, index) => keyRow(4 + index, text, 'write', 0, 1)),
      ),
      insert('audit_log', [1, 2, 'voucher_created', 'voucher', '1', 'Voucher erstellt', '192.0.2.77', at]),
      insert('settings', [1, 'app_title', 'Gäste "WLAN"; it\'s', at, at]),
      insert(
        'sites',
        [4, 'Haus am See', 'default', url, username, seal(password), 1, 0, at, at],
        [9, 'Alt', 'x', 'https://192.0.2.9', 'bot', 'enc:v1:AAAA', 0, 1, at, at],
      ),
      insert('user_site_access', [1, 2, 4, at]),
      insert(
        'users',
        [
          1,
          'Chefin@Example.org',
          'Frau Çelik',
          hash('Sommer-2026-lang'),
          1,
          1,
          null,
          null,
          0,
          null,
          null,
          at,
          at,
        ],
        [
          2,
          DESK,
          'Theke',
          hash('noch ein Passwort'),
          0,
          1,
          null,
          SECRET,
          1,
          JSON.stringify([sha256('1A2B-3C4D')]),
          null,
          at,
          at,
        ],
        [3, 'ms@example.org', null, null, 0, 1, 'aad-1', null, 0, null, null, at, at],
      ),
      insert('voucher_templates', [1, 'Tagung', 5, 1440, null, 20000, 5000, 2048, 1, 1, at, at]),
      insert(
        'vouchers',
        voucher(1, used.code, '2026-01-14_Zimmer 1', { id: used.id, by: 2 }),
        voucher(2, listed.code.replace(/(.{5})/, '$1-'), '2026-01-14_Zimmer 2', {}),
        voucher(3, gone.code, 'Zeile\nzwei', { id: gone.id, status: 'expired' }),
        voucher(4, used.code, 'doppelt', {}),
        voucher(5, 'kein Code', 'x', {}),
      ),
    ].join(''),
  );
  writeFileSync(keyFile, `<?php\ndefine('APP_KEY', '${appKey.toString('base64')}');\n`);
}

const moveIn = (...more: string[]) =>
  runGastpass(['move-in', 'unifi-voucher-tool', '--dump', dump, ...more], { dataDir });

before(async () => {
  writeDump();
  await makeDatabase(dataDir);
  // The unused demo of a first start, and a key that is bound to it.
  await runGastpass(['sites', 'add', '--name', 'Demo', '--controller', 'simulator'], { dataDir });
});
after(async () => {
  await service?.stop();
  await unifi.stop();
  remove();
});

test('wrong files and a wrong key are refused, and nothing is written', async () => {
  const cut = join(dataDir, 'cut.sql');
  writeFileSync(cut, "INSERT INTO `sites` VALUES (1,'A");
  const other = join(dataDir, 'other.sql');
  writeFileSync(other, 'CREATE TABLE `wp_posts` (\n  `id` int\n);\n');
  for (const [words, code, error] of [
    [['--dump', cut], 1, /line 1 of the dump: the file ends in the middle of a text/],
    [['--dump', other], 1, /not a dump of Unifi-Voucher-Tool/],
    [['--dump', join(dataDir, 'none')], 2, /there is no file/],
    [['--dump', dump, '--app-key-file', dump], 2, /contains no APP_KEY/],
    [[], 2, /--dump is missing/],
  ] as const) {
    const ended = await runGastpass(['move-in', 'unifi-voucher-tool', ...words], { dataDir });
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, error);
  }
  const { stdout } = await runGastpass(['sites', 'list', '--json'], { dataDir });
  assert.deepEqual(
    JSON.parse(stdout).map(({ name }: { name: string }) => name),
    ['Demo'],
  );
});

test('a demo with a printer stays until somebody removes the printer', async () => {
  const printer = ['--site', '1', '--name', 'Bar', '--kind', 'escpos', '--address', '192.0.2.7', '--json'];
  const added = await runGastpass(['printers', 'add', ...printer], { dataDir });
  const refused = await moveIn();
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /has sites of its own.*\n {2}1 Demo \(demo, in use\)\nRemove them first/s);
  const { id } = JSON.parse(added.stdout);
  assert.equal((await runGastpass(['printers', 'remove', String(id)], { dataDir })).code, 0);
});

test('a dry run prints the report of the move and writes nothing; a second move is refused', async () => {
  const dry = await moveIn('--app-key-file', keyFile, '--dry-run', '--json');
  assert.equal(dry.code, 0, dry.stderr);
  const sites = await runGastpass(['sites', 'list', '--json'], { dataDir });
  assert.equal(JSON.parse(sites.stdout).length, 1);
  const real = await moveIn('--app-key-file', keyFile, '--json');
  assert.equal(real.code, 0, real.stderr);
  assert.deepEqual({ ...JSON.parse(real.stdout), dry_run: true }, JSON.parse(dry.stdout));
  const { tables, remarks } = JSON.parse(real.stdout);
  assert.deepEqual(
    tables.map((row: Record<string, unknown>) => [row.table, row.found, row.taken]),
    [
      ['sites', 2, 2],
      ['users', 3, 3],
      ['user_site_access', 1, 1],
      ['voucher_templates', 1, 1],
      ['api_keys', 5, 3],
      ['vouchers', 5, 3],
      ['audit_log', 1, 1],
    ],
  );
  const said = JSON.stringify(remarks);
  for (const text of [
    'several keys begin with uvt_0d0d0d0d',
    'cannot be opened with this APP_KEY',
    'has this voucher twice',
    'no usable site, code',
    'signed in with Microsoft',
    'app_title',
  ])
    assert.ok(said.includes(text), text);
  const again = await moveIn();
  assert.equal(again.code, 1);
  assert.match(again.stderr, /has already been moved in/);
});

test('a moved site is activated in the browser after its certificate is confirmed; then its keys and vouchers work', async () => {
  service = await startTestService({ dataDir, clock });
  const { call, rows, beside } = service;
  const list = (key: string) => call('GET', 'vouchers.php?site_id=4', { key });
  const order = { body: { site_id: 4, name: 'Zimmer 12' } };
  assert.equal((await call('POST', 'vouchers.php', { ...order, key: KEYS.write })).status, 404, 'inactive');
  const chief = makeWebClient(service);
  assert.equal((await chief.login(CHIEF, 'falsches Passwort')).status, 401);
  assert.equal((await chief.login(CHIEF, 'Sommer-2026-lang')).status, 303);
  assert.match(
    String(rows('select password_hash from users where email = ?', CHIEF)[0]?.password_hash),
    /^scrypt\$15\$/,
  );
  assert.equal(
    (await makeWebClient(service).login(CHIEF, 'Sommer-2026-lang')).status,
    303,
    'with the new hash',
  );

  for (const [words, code, error] of [
    [['sites', 'test', '4'], 1, /nobody has confirmed its certificate yet.*gastpass sites set 4 --active/],
    [['sites', 'set', '4', '--active'], 1, /repeat the command with\n {2}--fingerprint [0-9A-F:]{95}/],
    [['sites', 'set', '9', '--active'], 2, /the password of this site is missing/],
  ] as const) {
    const ended = await runGastpass([...words], { dataDir });
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, error);
  }
  assert.match((await chief.get('/sites/9')).text, /href="\/sites\/9\/access">/);
  assert.equal((await chief.post('/sites/4/activate', {})).status, 303);
  assert.equal((await beside.sites.find(asSiteId(4)))?.active, false);
  const page = await chief.post('/sites/4/confirm', {});
  assert.match(page.text.replaceAll(':', ''), new RegExp(fingerprint256.replaceAll(':', '')));
  const trust = /name="trust" value="([0-9A-F]{64})"/.exec(page.text)?.[1] ?? '';
  const wrong = await chief.post('/sites/4/confirm/certificate', { trust: '0'.repeat(64) });
  assert.equal(wrong.status, 422);
  assert.equal((await chief.post('/sites/4/confirm/certificate', { trust })).status, 200);
  assert.partialDeepStrictEqual(await beside.sites.find(asSiteId(4)), {
    active: true,
    connection: { trust: { kind: 'pinned' } },
  });

  const { json } = await list(KEYS.read);
  assert.deepEqual(
    json.vouchers
      .map((voucher: Record<string, unknown>) => [
        voucher.voucher_code,
        voucher.voucher_name,
        voucher.status,
        voucher.expires_at,
        voucher.created_at,
      ])
      .toSorted(),
    [
      [used.code, '2026-01-14_Zimmer 1', 'valid', null, '2026-01-14T10:00:00Z'],
      [listed.code, '2026-01-14_Zimmer 2', 'valid', null, '2026-01-14T10:00:00Z'],
      [gone.code, 'Zeile\nzwei', 'expired', null, '2026-01-14T10:00:00Z'],
    ].toSorted(),
  );
  assert.equal((await call('POST', 'vouchers.php', { ...order, key: KEYS.read })).status, 403);
  const made = await call('POST', 'vouchers.php', { ...order, key: KEYS.write });
  assert.equal(made.status, 201, made.text);
  for (const key of [KEYS.off, ...TWINS, `uvt_0a${'1f'.repeat(18)}00`])
    assert.equal((await list(key)).status, 401);

  assert.ok(controls.redeem({ code: used.code }).ok);
  assert.ok(controls.remove({ code: gone.code }));
  const site = await beside.sites.find(asSiteId(4));
  assert.ok(site);
  const { syncSite } = makeSyncUseCases(beside);
  for (const imported of [0, 0]) {
    const synced = await syncSite(site, new AbortController().signal);
    assert.ok(synced?.ok);
    assert.equal(synced.value.imported, imported);
  }
  const codes = rows('select code, used_count, ended_at_s from vouchers where site_id = 4 order by id');
  assert.deepEqual(
    codes.map(({ code }) => code).toSorted(),
    [used.code, listed.code, gone.code, made.json.code].toSorted(),
  );
  assert.partialDeepStrictEqual(
    (await list(KEYS.read)).json.vouchers
      .map(
        (voucher: Record<string, unknown>) =>
          `${voucher.voucher_code} ${voucher.status} ${voucher.used_count}`,
      )
      .toSorted(),
    [
      `${used.code} valid 1`,
      `${listed.code} valid 0`,
      `${gone.code} expired 0`,
      `${made.json.code} valid 0`,
    ].toSorted(),
  );
});

test('a second factor that was moved in works with the app and with a recovery code, once each', async () => {
  assert.ok(service);
  const tryCode = async (code: () => string) => {
    assert.ok(service);
    clock.advance(2 * 60_000);
    const desk = makeWebClient(service);
    assert.match((await desk.login(DESK, 'noch ein Passwort')).location ?? '', /^\/login\/code/);
    return (await desk.post('/login/code', { code: code() })).status;
  };
  const appCode = () => codeOfStep(SECRET, stepAt(clock.nowMs()));
  const tried = [];
  for (const code of [() => '1a2b3c4e', () => '1a2b-3c4d', () => '1A2B-3C4D', appCode])
    tried.push(await tryCode(code));
  assert.deepEqual(tried, [401, 303, 401, 303]);
});

test('moved audit entries are readable, come first in time, and a user without a password counts as invited', async () => {
  assert.ok(service);
  const chief = makeWebClient(service);
  await chief.login(CHIEF, 'Sommer-2026-lang');
  const { text } = await chief.get('/audit?action=imported.');
  assert.match(text, /in Unifi-Voucher-Tool: voucher_created: Voucher erstellt \(voucher 1\)/);
  assert.match(text, /192\.0\.2\.77/);
  const ids = service.rows('select id, action from audit order by id');
  assert.equal(ids[0]?.action, 'imported.entry');
  assert.match((await chief.get('/audit?action=installation.')).text, /Unifi-Voucher-Tool/);
  const [user] = service.rows('select id from users where email = ?', 'ms@example.org');
  assert.equal((await service.beside.invitations.list()).get(Number(user?.id) as never)?.isFirst, true);
  const { text: expired } = await chief.get('/vouchers?state=expired');
  assert.ok(expired.includes(gone.code.slice(0, 5)) && !expired.includes(used.code), 'expired, not deleted');
  const names = service.rows('select name from profiles');
  assert.deepEqual(
    names.map(({ name }) => name),
    ['Tagung'],
  );
});
