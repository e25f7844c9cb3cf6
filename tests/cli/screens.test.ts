// Tests the real commands `gastpass screens …`: what they store and print, and their errors.

import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { TESTER } from '../support/actors.ts';
import { makeDatabase, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const CODE = /^[A-Z0-9]{4}-[A-Z0-9]{4}$/;
const { folder: dataDir, remove } = makeFolder();
const [terms, newTerms] = [join(dataDir, 'terms.txt'), join(dataDir, 'new-terms.txt')];
let tag: number;
before(async () => {
  await makeDatabase(dataDir);
  writeFileSync(terms, 'Be kind.\n\nDo not share.\n');
  await runGastpass(['sites', 'add', '--name', 'Haus A', '--controller', 'simulator'], { dataDir });
  await runGastpass(
    ['printers', 'add', '--site', '1', '--name', 'Bar', '--kind', 'escpos', '--address', '192.0.2.1'],
    { dataDir },
  );
  const { profiles, close } = await openInstallation(await configOf(dataDir));
  const limits = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
  tag = await profiles.add({ name: 'Tag', ...limits, siteIds: [] }, { actor: TESTER, atMs: 1 });
  await close();
  assert.match((await gastpass('list')).stdout, /^No screens yet\. Add one: gastpass screens add --site ID/);
});
after(remove);

const gastpass = (words: string, environment: Record<string, string> = {}) =>
  runGastpass(['screens', ...words.split(' ')], { dataDir, environment });

async function listed(): Promise<Record<string, unknown>[]> {
  const { code, stdout, stderr } = await gastpass('list --json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

test('a kiosk is added with all its settings, listed, paired anew, unpaired and removed', async () => {
  const settings = `--ask room,name --offers both --printer 1 --per-minute 3 --per-day 50 --terms-file ${terms}`;
  const added = await gastpass(`add --site 1 --name Lobby --kind kiosk ${settings}`);
  assert.deepEqual([added.code, added.stderr], [0, '']);
  const [id, code = '', ...rest] = added.stdout.trim().split('\n');
  assert.deepEqual([id, rest], ['1', []]);
  assert.match(code, CODE);
  assert.deepEqual(await listed(), [
    {
      ...{
        id: 1,
        site: 1,
        name: 'Lobby',
        kind: 'kiosk',
        offers: 'both',
        profiles: [],
        asks: ['name', 'room'],
      },
      ...{ printer: 1, per_minute: 3, per_day: 50, last_day: 0, idle_minutes: 15, state: 'waiting' },
      ...{ paired_at: null, seen_at: null, seen_ip: null },
    },
  ]);
  assert.match((await gastpass('list')).stdout, /\n1 +1 +Lobby .*name,room/);
  const paired = JSON.parse((await gastpass('pair 1 --json')).stdout);
  assert.deepEqual(Object.keys(paired), ['id', 'pairing_code', 'expires_at']);
  assert.ok(CODE.test(paired.pairing_code) && paired.pairing_code !== code);
  for (const command of ['unpair 1', 'remove 1']) assert.equal((await gastpass(command)).code, 0, command);
  assert.deepEqual(await listed(), []);
  for (const command of ['show 1', 'set 1 --idle 9', 'terms 1', 'pair 1', 'unpair 1', 'remove 1']) {
    const { code: failed, stderr } = await gastpass(command);
    assert.deepEqual([failed, stderr], [1, 'gastpass: there is no screen 1; see gastpass screens list\n']);
  }
});

test('a rolling code has a token, and the JSON has the whole address', async () => {
  const options = 'add --site 1 --name Flur --kind rolling --idle 1440';
  const [, code = '', token = ''] = (await gastpass(options)).stdout.trim().split('\n');
  assert.match(code, CODE);
  assert.match(token, /^[0-9A-Za-z]{32}$/);
  const there = { PUBLIC_URL: 'https://wifi.example.org' };
  const json = JSON.parse((await gastpass(`${options} --json`, there)).stdout);
  assert.deepEqual(Object.keys(json), ['id', 'pairing_code', 'expires_at', 'token', 'url']);
  assert.equal(json.url, `https://wifi.example.org/rolling/${json.token}.json`);
  const leftMs = Date.parse(json.expires_at) - Date.now();
  assert.ok(leftMs > 0 && leftMs <= 10 * 60_000);
  const kiosk = JSON.parse((await gastpass('add --site 1 --name Bar --kind kiosk --json')).stdout);
  assert.deepEqual(Object.keys(kiosk), ['id', 'pairing_code', 'expires_at']);
});

test('every setting of a kiosk can be changed and taken back; the others stay', async () => {
  const { id } = JSON.parse((await gastpass('add --site 1 --name Eingang --kind kiosk --json')).stdout);
  const shown = async () => JSON.parse((await gastpass(`show ${id} --json`)).stdout);
  const before = await shown();
  assert.partialDeepStrictEqual(before, {
    name: 'Eingang',
    seen_agent: null,
    code: null,
    terms_version: null,
  });
  const changed = `--name Halle --offers requests --ask room --printer 1 --per-minute 4 --per-day 40 --terms-file ${terms}`;
  for (const words of [`set ${id} ${changed}`, `set ${id} --profile Tag --profile ${tag}`]) {
    const { code, stdout, stderr } = await gastpass(words);
    assert.deepEqual([code, stdout, stderr], [0, '', '']);
  }
  const now = { name: 'Halle', offers: 'requests', asks: ['room'], printer: 1, per_minute: 4, per_day: 40 };
  assert.deepEqual(await shown(), { ...before, ...now, profiles: [tag], terms_version: 1 });
  await gastpass(`set ${id} --ask none --printer none --profile default --no-terms --offers vouchers`);
  const back = { offers: 'vouchers', asks: [], printer: null, profiles: [], terms_version: null };
  assert.deepEqual(await shown(), { ...before, ...now, ...back });
  assert.match((await gastpass(`show ${id}`)).stdout, /^name +Halle$/m);
  for (const [words, message] of Object.entries({
    '': /nothing to change/,
    '--per-day 0': /--per-day: .* from 1 to 10000/,
    '--profile None': /no such profile; it has: .*Tag/,
    [`--no-terms --terms-file ${terms}`]: /exclude each other/,
  })) {
    const refused = await gastpass(`set ${id} ${words}`.trim());
    assert.notEqual(refused.code, 0, words);
    assert.match(refused.stderr, message, words);
  }
  assert.deepEqual(await shown(), { ...before, ...now, ...back });
});

test('the versions of the terms are printed with their texts, newest first', async () => {
  const { id } = JSON.parse((await gastpass('add --site 1 --name Garten --kind kiosk --json')).stdout);
  assert.match((await gastpass(`terms ${id}`)).stdout, /^No terms\. Set them: gastpass screens set/);
  await gastpass(`set ${id} --terms-file ${terms}`);
  writeFileSync(newTerms, 'Be very kind.\n');
  await gastpass(`set ${id} --terms-file ${newTerms}`);
  const versions = JSON.parse((await gastpass(`terms ${id} --json`)).stdout);
  assert.partialDeepStrictEqual(versions, [
    { version: 2, in_force: true, text: 'Be very kind.' },
    { version: 1, in_force: false, text: 'Be kind.\n\nDo not share.' },
  ]);
  const [newest] = versions;
  assert.equal(newest.sha256, hash('sha256', newest.text));
  const { stdout } = await gastpass(`terms ${id}`);
  assert.match(stdout, /^version 2, \S+Z, in force, SHA-256 [0-9a-f]{64}\n {2}Be very kind\.\n\nversion 1, /);
});

test('the addresses of a rolling code are printed again and renewed', async () => {
  const there = { PUBLIC_URL: 'https://wifi.example.org' };
  const { id, token } = JSON.parse((await gastpass('add --site 1 --name E --kind rolling --json')).stdout);
  const url = `https://wifi.example.org/rolling/${token}.json`;
  assert.deepEqual(JSON.parse((await gastpass(`address ${id} --json`, there)).stdout), { id, token, url });
  const { stdout } = await gastpass(`address ${id}`, there);
  const printed = ['json', 'svg', 'png', 'txt'].map((format) => url.replace(/json$/, format));
  assert.deepEqual(stdout.trim().split('\n'), printed);
  const renewed = JSON.parse((await gastpass(`renew-address ${id} --json`, there)).stdout);
  assert.deepEqual(Object.keys(renewed), ['id', 'token', 'url']);
  assert.notEqual(renewed.token, token);
  assert.deepEqual(JSON.parse((await gastpass(`address ${id} --json`, there)).stdout), renewed);
  const [kiosk] = (await listed()).filter(({ kind }) => kind === 'kiosk');
  for (const command of ['address', 'renew-address']) {
    const { code, stderr } = await gastpass(`${command} ${kiosk?.id}`);
    assert.deepEqual([code, stderr], [1, 'gastpass: only a rolling code has addresses\n']);
  }
});

test('wrong options are named, and nothing is added', async () => {
  const before = await listed();
  const wrong = {
    'add --site 9 --name N --kind kiosk': /there is no such site/,
    'add --site 1 --name N --kind tv': /--kind: expected one of kiosk, rolling/,
    'add --site 1 --name N --kind kiosk --ask shoe': /--ask: expected some of name,email,room/,
    'add --site 1 --name N --kind kiosk --ask email': /--ask: e-mail is not set up/,
    'add --site 1 --name N --kind kiosk --profile 7': /the site has no such profile/,
    'add --site 1 --name N --kind kiosk --printer 7': /--printer: the site has no such printer/,
    'add --site 1 --name N --kind kiosk --per-minute 0 --per-day 10001':
      /--per-minute: .* from 1 to 100\n.*--per-day: .* to 10000/s,
    'add --site 1 --name N --kind rolling --idle 1441': /--idle: .* from 1 to 1440/,
    'add --site 1 --name N --kind rolling --ask name --printer 1 --offers both':
      /--offers: only.*--ask: only.*--printer: only/s,
    [`add --site 1 --name N --kind rolling --terms-file ${terms}`]: /--terms-file: only for a kiosk/,
    'remove x': /"x" is not the number of a screen/,
  };
  for (const [words, message] of Object.entries(wrong)) {
    const { code, stdout, stderr } = await gastpass(words);
    assert.ok(code === 1 || code === 2, words);
    assert.equal(stdout, '');
    assert.match(stderr, message, words);
  }
  assert.deepEqual(await listed(), before);
});
