// Tests the real command `gastpass vouchers …`: creating, listing, revoking and importing vouchers.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { openSimulatedVouchers } from '../../src/kernel/controllers/simulator/simulated-vouchers.ts';
import { asSiteId } from '../../src/kernel/ids.ts';
import { TESTER } from '../support/actors.ts';
import { openRecords, readRecords } from '../support/engine.ts';
import { addPrinter } from '../support/printers.ts';
import { type Ended, makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
after(remove);

const CODE = /^\d{5}-\d{5}\n$/;

const run = (...words: string[]): Promise<Ended> => runGastpass(['vouchers', ...words], { dataDir });
const ask = (sql: string) => readRecords(dataDir, sql);

async function succeed(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await run(...words);
  assert.deepEqual([code, stderr], [0, '']);
  return stdout;
}

/** Site 1 works, site 2 cannot be reached, site 3 returns no voucher, site 4 is inactive. Site 1 does not import. */
before(async () => {
  const installation = await openInstallation(await configOf(dataDir));
  const { sites, profiles, webhooks, close } = installation;
  const audit = { actor: TESTER, atMs: 1 };
  const simulated = { active: true, controllerKind: 'simulator' as const, connection: null };
  await sites.add({ name: 'Haus A', ...simulated, controllerSite: 'default', importsForeign: false }, audit);
  await sites.add({ name: 'Haus B', ...simulated, controllerSite: 'fail:unreachable' }, audit);
  await sites.add({ name: 'Haus C', ...simulated, controllerSite: 'fail:nothing' }, audit);
  await sites.add({ name: 'Haus D', ...simulated, controllerSite: 'default', active: false }, audit);
  const limits = { maxUses: 3, expireMinutes: 10_080, downKbps: 5_000, upKbps: 0, quotaMb: 0 };
  await profiles.add({ name: 'Seminar', siteIds: [], ...limits }, audit);
  const webhook = { url: 'http://127.0.0.1:9/', format: 'generic', platform: null, secrets: null } as const;
  await webhooks.add(webhook, audit);
  await addPrinter(installation);
  await addPrinter(installation, { siteId: asSiteId(2) });
  await close();
});

test('a voucher is created, announced, audited and listed; its code is printed as on slips', async () => {
  const printed = await succeed('create', '--site', '1', '--name', ' Zimmer 12 ');
  assert.match(printed, CODE);
  const [voucher] = JSON.parse(await succeed('list', '--search', printed.trim(), '--json'));
  assert.match(voucher.name, /^\d{4}-\d\d-\d\d_Zimmer 12$/);
  assert.match(voucher.created_by, /^CLI: \S/);
  assert.match(voucher.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.partialDeepStrictEqual(voucher, {
    site_id: 1,
    site: 'Haus A',
    code: printed.trim().replace('-', ''),
    formatted_code: printed.trim(),
    state: 'unused',
    used_count: 0,
    max_uses: 1,
    expire_minutes: 480,
    qos: { down: 0, up: 0, quota_mb: 0 },
    expires_at: null,
  });
  const [event] = ask('select voucher_count, source from outbox');
  assert.deepEqual({ ...event }, { voucher_count: 1, source: voucher.created_by });
  const [entry] = ask("select actor, subject from audit where action = 'voucher.created'");
  assert.deepEqual(
    { ...entry },
    {
      actor: voucher.created_by,
      subject: `voucher ${voucher.id} of site 1 (Haus A): ${voucher.name}`,
    },
  );
});

test('a voucher is created with a mail to the guest only if e-mail is set up', async () => {
  const words = [
    'create',
    '--site',
    '1',
    '--name',
    'Post',
    '--email',
    'gast@example.org',
    '--language',
    'en-GB',
  ];
  const refused = await run(...words, '--count', '2');
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /0 of 2 vouchers were created: e-mail is not set up/);
  const environment = { SMTP_URL: 'smtp://mail.example.org', MAIL_FROM: 'wlan@hotel.example' };
  const made = await runGastpass(['vouchers', ...words, '--count', '2'], { dataDir, environment });
  assert.deepEqual([made.code, made.stderr], [0, '']);
  const mails = ask("select state, payload, ordered_by from messages where channel = 'mail'");
  assert.equal(mails.length, 2);
  const payload = '{"domain":"hotel.example","language":"en"}';
  for (const mail of mails) assert.partialDeepStrictEqual({ ...mail }, { state: 'waiting', payload });
  assert.match(String(mails[0]?.ordered_by), /^command \S/);
});

test('a voucher is printed by a printer of the site, and by no other', async () => {
  const words = ['create', '--site', '1', '--name', 'Beleg', '--count', '2', '--print'];
  for (const id of ['2', '999']) {
    const refused = await run(...words, id);
    assert.deepEqual([refused.code, refused.stdout], [1, '']);
    assert.match(refused.stderr, /the site has no such printer; it has: 1 Rezeption\n/);
  }
  await succeed(...words, '1');
  const jobs = ask("select state, recipient_id, ordered_by from messages where channel = 'printer'");
  assert.equal(jobs.length, 2);
  for (const job of jobs) assert.partialDeepStrictEqual({ ...job }, { state: 'waiting', recipient_id: 1 });
});

test('a profile fills the order, options take precedence, and several vouchers are announced once', async () => {
  const words = ['--site', '1', '--name', 'Tagung', '--profile', 'Seminar', '--duration', '3d'];
  const created = JSON.parse(await succeed('create', ...words, '--up', '900', '--count', '3', '--json'));
  assert.equal(created.length, 3);
  const listed = JSON.parse(await succeed('list', '--site', '1', '--search', 'tagung', '--json'));
  assert.deepEqual(
    listed.map((one: { code: string }) => one.code).sort(),
    created.map((one: { code: string }) => one.code).sort(),
  );
  for (const one of listed)
    assert.partialDeepStrictEqual(one, {
      max_uses: 3,
      expire_minutes: 4_320,
      qos: { down: 5_000, up: 900, quota_mb: 0 },
    });
  assert.equal(ask('select * from outbox where voucher_count = 3').length, 1);

  const unknown = await run('create', ...words.with(5, 'Messe'));
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /the site has no such profile; it has: 1 Seminar\n/);
});

test('if the controller is away, nothing is created; if the outcome is unknown, the message says what to do', async () => {
  const order = (site: string, ...more: string[]) => run('create', '--site', site, '--name', 'Gast', ...more);
  const away = await order('2');
  assert.deepEqual([away.code, away.stdout], [1, '']);
  assert.match(away.stderr, /^gastpass: no voucher was created: .*cannot be reached\n$/);
  assert.deepEqual(ask('select * from intents'), []);

  const unknown = await order('3', '--json');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '[]\n']);
  assert.match(unknown.stderr, /^gastpass: a voucher may have been created: .* no valid voucher\n/);
  assert.match(unknown.stderr, /running service .* within two minutes.*\nrun gastpass sync --site 3\./);
  assert.equal(ask('select * from intents where site_id = 3').length, 1);

  const [inactive, missing] = [await order('4'), await order('99')];
  assert.match(inactive.stderr, /Haus D is inactive; activate it: gastpass sites set 4 --active\n$/);
  assert.match(missing.stderr, /there is no site 99/);
  assert.deepEqual([inactive.code, missing.code], [1, 1]);
});

test('a voucher is revoked by its code, a second time too; an unknown code fails', async () => {
  const printed = (await succeed('create', '--site', '1', '--name', 'weg')).trim();
  assert.equal(await succeed('revoke', '--site', '1', '--code', printed), `${printed}: revoked\n`);
  assert.equal(
    await succeed('revoke', '--site', '1', '--code', printed.replace('-', '')),
    `${printed}: was revoked before\n`,
  );
  assert.equal(ask("select * from audit where action = 'voucher.revoked'").length, 1);
  const [row] = JSON.parse(await succeed('list', '--state', 'revoked', '--json'));
  assert.deepEqual([row.formatted_code, row.state], [printed, 'revoked']);

  const unknown = await run('revoke', '--site', '1', '--code', '00000-00000');
  assert.deepEqual([unknown.code, unknown.stdout], [1, '']);
  assert.match(unknown.stderr, /Haus A has no voucher with this code; see gastpass vouchers list --site 1/);
});

test('import records the vouchers of others once, even if the site does not import', async () => {
  const simulated = openSimulatedVouchers(dataDir);
  const limits = { maxUses: 0, expireMinutes: 90, downKbps: 0, upKbps: 0, quotaMb: 0 };
  simulated.create('1/default', { name: 'am Controller', ...limits }, Date.now());
  simulated.close();
  const site = async () => {
    const { code, stdout } = await run('import', '--site', '1', '--json');
    assert.equal(code, 0);
    return JSON.parse(stdout)[0];
  };
  assert.partialDeepStrictEqual(await site(), { id: 1, name: 'Haus A', imported: 1, problem: null });
  assert.equal((await site()).imported, 0);
  assert.deepEqual(
    ask('select imports_foreign from sites where id = 1').map((row) => row.imports_foreign),
    [0],
  );
  const table = (await succeed('list', '--search', 'am Controller')).split('\n');
  assert.match(table[0] ?? '', /^CODE +NAME +SITE +STATE +USES +DURATION +CREATED_AT +EXPIRES_AT$/);
  assert.match(table[1] ?? '', /^\d{5}-\d{5} +am Controller +Haus A +unused +0\/∞ +90m +\S+Z +-$/);
});

test('a list that is cut says so', async () => {
  const { code, stdout, stderr } = await run('list', '--limit', '1', '--json');
  assert.deepEqual([code, JSON.parse(stdout).length], [0, 1]);
  assert.match(stderr, /there are more vouchers; these are the newest 1, see --limit\n/);
  assert.equal(await succeed('list', '--site', '2'), 'No vouchers found.\n');
});

test('vouchers for nights end at the check-out of the site, all at the same moment', async () => {
  const set = await runGastpass(
    ['sites', 'set', '1', '--check-out', '10:30', '--time-zone', 'Asia/Kolkata'],
    {
      dataDir,
    },
  );
  assert.deepEqual([set.code, set.stderr], [0, '']);
  const order = ['create', '--site', '1', '--name', 'Bis Abreise', '--json'];
  const vouchers = JSON.parse(await succeed(...order, '--nights', '2', '--count', '2'));
  for (const { ends_at } of vouchers) assert.match(ends_at, /^\d{4}-\d\d-\d\dT05:00:00Z$/);
  assert.equal(new Set(vouchers.map(({ ends_at }: { ends_at: string }) => ends_at)).size, 1);
  const [until] = JSON.parse(await succeed(...order, '--until', '2027-03-01T10:00'));
  assert.equal(until.ends_at, '2027-03-01T04:30:00Z');
  const [listed] = JSON.parse(await succeed('list', '--site', '1', '--json'));
  assert.deepEqual(
    [listed.ends_at, listed.expires_at, listed.state],
    ['2027-03-01T04:30:00Z', null, 'unused'],
  );
  const sites = await runGastpass(['sites', 'list', '--json'], { dataDir });
  const shown = { check_out: '10:30', time_zone: 'Asia/Kolkata' };
  assert.partialDeepStrictEqual(JSON.parse(sites.stdout)[0], shown);

  const past = await run(...order, '--until', '2020-01-01');
  assert.deepEqual([past.code, past.stderr], [2, 'gastpass: --until: this time has passed\n']);
  const wrong = await run(...order, '--until', 'tomorrow');
  assert.match(wrong.stderr, /^gastpass: --until: expected a date or time such as .*\n$/);
});

test('vouchers of the reserve are handed out without the controller, as long as there are some', async () => {
  const words = ['create', '--site', '2', '--name', 'Zimmer 9', '--from-reserve'];
  const none = await run(...words);
  assert.equal(none.code, 1);
  assert.match(none.stderr, /the site keeps no reserve; keep one with gastpass sites set 2 --reserve 20/);
  const { reserves, close } = await openInstallation(await configOf(dataDir));
  await reserves.set({ siteId: asSiteId(2), wanted: 1, profileId: null }, { actor: TESTER, atMs: 1 });
  await close();
  const records = openRecords(dataDir);
  records.change(
    `insert into stock (site_id, state, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, code,
      controller_voucher_id, made_at_ms) values (2, 'ready', '2026-11-01_Reserve', 2, 60, 0, 0, 0, '1234512345', 'r', 1)`,
  );
  records.close();
  const printed = JSON.parse(await succeed(...words, '--json'));
  assert.partialDeepStrictEqual(printed, [{ code: '1234512345', max_uses: 2, expire_minutes: 60 }]);
  const [stored] = ask(`select name, console_name from vouchers where code = '1234512345'`);
  assert.match(String(stored?.name), /_Zimmer 9$/);
  assert.equal(stored?.console_name, '2026-11-01_Reserve');
  const empty = await run(...words);
  assert.deepEqual([empty.code, empty.stdout], [1, '']);
  assert.match(empty.stderr, /no voucher was created: the reserve is empty/);
  const wrong = await run(...words, '--duration', '2h');
  assert.equal(wrong.code, 2);
  assert.match(wrong.stderr, /--from-reserve and --duration exclude each other/);
});
