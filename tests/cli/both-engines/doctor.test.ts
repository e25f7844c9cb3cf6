// Tests `gastpass doctor` on installations in different states: its findings, its advice, and its exit code.

import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { openInstallation } from '../../../src/app/installation.ts';
import { asSiteId, asWebhookId } from '../../../src/kernel/ids.ts';
import { lockForService } from '../../../src/platform/database/service-lock.ts';
import { actorOf, TESTER } from '../../support/actors.ts';
import { insertDelivery } from '../../support/delivery-rows.ts';
import { databaseSettings, engine, openRecords } from '../../support/engine.ts';
import { type Ended, makeFolder, runGastpass } from '../../support/run-gastpass.ts';
import { configOf } from '../../support/test-service.ts';

interface Finding {
  state: string;
  about: string;
  text: string;
}

/** The port of the service is unknown, so its lock tells that it runs. See doctor-service.test.ts for its port. */
const settings = { PORT: '0', TZ: 'Europe/Berlin' };

let dataDir: string;
let remove: () => void;
let afterwards: () => void;
beforeEach(() => {
  ({ folder: dataDir, remove } = makeFolder());
  afterwards = () => {};
});
afterEach(() => {
  afterwards();
  remove();
});

function doctor(...words: string[]): Promise<Ended> {
  return runGastpass(['doctor', ...words], { dataDir, environment: settings });
}

async function findings(expectedCode: number): Promise<Finding[]> {
  const { code, stdout } = await doctor('--json');
  assert.equal(code, expectedCode);
  return JSON.parse(stdout);
}

async function installed(controllerSite?: string): Promise<void> {
  const installation = await openInstallation(await configOf(dataDir));
  const audit = { actor: TESTER, atMs: Date.now() };
  const site = {
    name: 'Haus A',
    active: true,
    controllerKind: 'simulator' as const,
    connection: null,
  };
  if (controllerSite !== undefined) await installation.sites.add({ ...site, controllerSite }, audit);
  await installation.users.add(
    { email: 'ada@example.org', name: 'Ada', role: 'admin', passwordHash: '-', createdAtMs: 0 },
    audit,
  );
  await installation.close();
  afterwards = engine === 'sqlite' ? lockForService(dataDir) : () => {};
}

async function openIntent(ageMs: number): Promise<void> {
  const clock = { nowMs: () => Date.now() - ageMs };
  const installation = await openInstallation(await configOf(dataDir), clock);
  const order = { name: 'x', maxUses: 1, expireMinutes: 1, downKbps: 0, upKbps: 0, quotaMb: 0 };
  const by = { siteId: asSiteId(1), siteName: 'Haus A', actor: actorOf('API: Test') };
  await installation.vouchers.begin({ ...by, order });
  await installation.close();
}

test('a healthy installation passes, and every check is listed', async () => {
  await installed('default');
  const secret = engine === 'sqlite' ? join(dataDir, 'secret') : 'GASTPASS_SECRET';
  const backups = 'ok       Backups: Not scheduled; with the setting BACKUP_DIR, the service makes them';
  const { code, stdout, stderr } = await doctor();
  assert.equal(stderr, '');
  assert.equal(code, 0);
  const lines = stdout
    .trimEnd()
    .replace(/[\d.,]+ [MG]B \(\d+ %\)/, 'so much')
    .replace(/Version \d[^,]+, the role \S+/, 'Version V, the role R')
    .replace(/Clock: .* UTC;/, 'Clock: now;')
    .split('\n');
  assert.deepEqual(lines, [
    `ok       Node: ${process.versions.node}; a running service keeps the Node that it was started with`,
    `ok       Data folder: ${dataDir}`,
    'ok       Disk space: so much free',
    `ok       Installation secret: ${secret} fits the database`,
    ...(engine === 'sqlite'
      ? [
          'ok       Database: Can be read and written; no page is damaged',
          'ok       Service: Running, on a free port because PORT is 0',
          backups,
          'ok       Clock: now; no record is dated in the future',
        ]
      : [
          'ok       Database: Can be read and written',
          'ok       PostgreSQL: Version V, the role R has all rights',
          'ok       Service: Not examined, because PORT is 0',
          backups,
          'ok       Clock: now; agrees with the clock of the database server',
        ]),
    'ok       Time zone: Europe/Berlin',
    'ok       Site 1 (Haus A): The controller works',
    'ok       Sync of site 1 (Haus A): Not yet done',
    'ok       Users: One administrator',
    'ok       Open orders: None',
  ]);
});

test('a missing data folder is a fault, and is not created', async () => {
  remove();
  const { code, stdout, stderr } = await doctor();
  assert.match(
    stdout,
    /^fault {4}Data folder: .* does not exist\. Correct DATA_DIR, or start the service: it creates the folder\.\n$/m,
  );
  assert.equal(stderr, 'gastpass: 1 problem found\n');
  assert.equal(code, 1);
  assert.equal(existsSync(dataDir), false);
});

test('a data folder that is a file is a fault', async () => {
  remove();
  writeFileSync(dataDir, 'a file, not a folder');
  const folder = (await findings(1)).at(-1);
  assert.equal(folder?.state, 'fault');
  assert.match(folder?.text ?? '', /is not a folder\. Move it away, or correct DATA_DIR\.$/);
});

test('a secret that does not match the database is a fault that says which one is needed', async () => {
  await installed('default');
  const environment = { GASTPASS_SECRET: 'o'.repeat(40) };
  const { code, stdout } = await runGastpass(['doctor'], { dataDir, environment });
  assert.match(stdout, /^fault {4}Database and secret: .*set GASTPASS_SECRET to the one/m);
  assert.equal(code, 1);
});

test('a site whose controller fails is a fault, unless the site is inactive', async () => {
  await installed('fail:unreachable');
  const site = (await findings(1)).find(({ about }) => about === 'Site 1 (Haus A)');
  assert.equal(site?.state, 'fault');
  assert.match(
    site?.text ?? '',
    /fail:unreachable.* To change the site on the controller: gastpass sites set 1 --site default$/,
  );

  const off = await runGastpass(['sites', 'set', '1', '--inactive'], { dataDir });
  assert.equal(off.code, 0);
  const after = (await findings(0)).find(({ about }) => about === 'Site 1 (Haus A)');
  assert.deepEqual([after?.state, after?.text], ['ok', 'Inactive']);
});

test('missing sites and a missing administrator are warnings, not faults', async () => {
  await installed();
  const records = openRecords(dataDir);
  records.change('delete from users');
  records.close();
  const warnings = (await findings(0)).filter(({ state }) => state === 'warning');
  assert.deepEqual(
    warnings.map(({ about }) => about),
    ['Sites', 'Users'],
  );
  assert.match(
    warnings[0]?.text ?? '',
    / To add one: gastpass sites add --name NAME --controller unifi --url https:\/\/… --api-key-file FILE$/,
  );
  assert.match(warnings[1]?.text ?? '', /gastpass users add --email EMAIL --name NAME --admin/);
});

test('open intents are counted, and overdue intents cause a warning', async () => {
  await installed('default');
  await openIntent(0);
  assert.deepEqual((await findings(0)).at(-1), {
    state: 'ok',
    about: 'Open orders',
    text: '1, being worked on',
  });
  await openIntent(60 * 60_000);
  const overdue = (await findings(0)).at(-1);
  assert.equal(overdue?.state, 'warning');
  assert.match(
    overdue?.text ?? '',
    /^It is not known whether the controller has created a voucher\. Make sure/,
  );
});

test('failing webhooks and webhooks deactivated by their target cause warnings that hide the path', async () => {
  await installed('default');
  const installation = await openInstallation(await configOf(dataDir));
  const audit = { actor: TESTER, atMs: 0 };
  for (const name of ['good', 'once', 'often', 'gone', 'off']) {
    const url = `https://${name}.example/T0GEHEIM`;
    await installation.webhooks.add({ url, format: 'chat', platform: null, secrets: null }, audit);
  }
  await installation.webhooks.change(asWebhookId(5), { active: false, name: 'Kasse' }, audit);
  await installation.close();
  const records = openRecords(dataDir);
  records.change('update webhooks set failures = 1 where id = 2');
  records.change('update webhooks set failures = 7 where id = 3');
  records.change("update webhooks set failures = 1, active = 0, off_because = 'gone (410)' where id = 4");
  for (const event of ['tried', 'waits for it']) records.change(insertDelivery({ webhook: 3, event }));
  for (const [atMs, error] of [
    [1, 'no answer'],
    [2, 'answered 500'],
  ])
    records.change(
      `insert into message_attempts (message_id, at_ms, duration_ms, error)
       select id, ${atMs}, 1, '${error}' from messages where event_id = 'tried'`,
    );
  records.close();
  const { code, stdout } = await doctor();
  assert.equal(code, 0);
  assert.deepEqual(
    stdout
      .replace(/[\d,]+ days/, 'long')
      .split('\n')
      .filter((line) => /Webhook|Deliveries/.test(line)),
    [
      'ok       Webhook 1 (https://good.example/…): No failures',
      'warning  Webhook 2 (https://once.example/…): The last attempt failed. Repair the receiver; the notifications are then delivered. To test it: gastpass webhooks test 2',
      'warning  Webhook 3 (https://often.example/…): The last 7 attempts failed: answered 500. Repair the receiver; the notifications are then delivered. To test it: gastpass webhooks test 3',
      'warning  Webhook 4 (https://gone.example/…): Was switched off because its receiver no longer exists. Bring the receiver back and switch the webhook on, or remove the webhook. To switch it on: gastpass webhooks set 4 --active',
      'ok       Webhook 5 (Kasse, https://off.example/…): Switched off',
      'warning  Deliveries: 2 notifications are waiting, the oldest for long. Look at the deliveries of the webhooks: a receiver is failing or slow. To list them: gastpass webhooks log',
    ],
  );
});

test('a record of the future is a fault of the clock, told in words', async () => {
  await installed('default');
  const records = openRecords(dataDir);
  const aheadMs = Date.now() + 400 * 24 * 60 * 60_000;
  records.change('insert into site_syncs (site_id, synced_at_ms) values (1, ?)', aheadMs);
  records.close();
  const { code, stdout } = await doctor();
  // The clock of PostgreSQL shows that this machine's clock is right now.
  const [expected, line] =
    engine === 'sqlite'
      ? [
          1,
          /^fault {4}Clock: The clock of the server \(.* UTC\) is 400 days behind the newest record\. .* If it is right, it was ahead once; then this message disappears with the next sync and the next entry in the audit log\.$/m,
        ]
      : [0, /^ok {7}Clock: Correct now \(.* UTC\), but it was ahead once: a record is dated .* UTC$/m];
  assert.equal(code, expected);
  assert.match(stdout, line);
  assert.match(
    stdout,
    /^warning {2}Sync of site 1 \(Haus A\): The last sync is dated in the future: .* UTC\. Check the clock of the server, then sync the site\. To sync it now: gastpass sync --site 1$/m,
  );
});

test('a misspelt setting and an open data folder are warnings, with what to do', async () => {
  await installed('default');
  chmodSync(dataDir, 0o755);
  const environment = {
    ...settings,
    TRUSTED_PROXY: '10.0.0.5',
    GASTPASS_SECERT: 'x',
    GASTPASS_COLOUR: 'red',
  };
  const { code, stdout } = await runGastpass(['doctor'], { dataDir, environment });
  assert.equal(code, 0);
  assert.deepEqual(
    stdout.split('\n').filter((line) => line.startsWith('warning')),
    [
      `warning  Data folder: Other users of the server can access ${dataDir}. Give access only to the user of the service: chmod 700 ${dataDir}`,
      'warning  Setting TRUSTED_PROXY: There is no such setting; it has no effect. TRUSTED_PROXIES is probably meant: rename the setting and restart the service.',
      'warning  Setting GASTPASS_SECERT: There is no such setting; it has no effect. GASTPASS_SECRET is probably meant: rename the setting and restart the service.',
      'warning  Setting GASTPASS_COLOUR: There is no such setting; it has no effect. Remove it from the settings of the service.',
    ],
  );
});

test('doctor changes nothing', async () => {
  await installed('default');
  const records = openRecords(dataDir);
  const settingsNow = () => records.rows('select name, value from settings order by name');
  const before = settingsNow();
  const file = join(dataDir, 'gastpass.sqlite');
  if (engine === 'sqlite') chmodSync(file, 0o644);
  const fileNow = () =>
    engine === 'sqlite' && [(statSync(file).mode & 0o777).toString(8), readFileSync(file).toString('latin1')];
  const fileBefore = fileNow();
  const { stdout } = await doctor();
  assert.deepEqual(settingsNow(), before);
  records.close();
  assert.equal(JSON.stringify(fileNow()) === JSON.stringify(fileBefore), true, 'the file and its mode');
  assert.equal(existsSync(join(dataDir, 'simulator.sqlite')), false);
  if (engine === 'sqlite')
    assert.match(stdout, new RegExp(`^fault {4}Database: \\S+ can be read by .*: chmod 600 ${file}$`, 'm'));
});

if (engine === 'postgres')
  test('a PostgreSQL role without the rights it needs is reported, with what to grant', async () => {
    await installed('default');
    const url = new URL((await databaseSettings(dataDir)).DATABASE_URL ?? '');
    const role = `clerk_${process.pid}`;
    url.username = role;
    const records = openRecords(dataDir);
    records.change(`create role ${role} login`);
    afterwards = () => {
      records.change(`drop owned by ${role}`);
      records.change(`drop role ${role}`);
      records.close();
    };
    const said = async () => {
      const environment = { ...settings, DATABASE_URL: url.href };
      const { stdout } = await runGastpass(['doctor'], { dataDir, environment });
      return stdout.split('\n').filter((line) => /^\w+ +(PostgreSQL|Database):/.test(line));
    };
    records.change(`grant select on all tables in schema public to ${role}`);
    const [database, server] = await said();
    assert.match(
      database ?? '',
      /^fault {4}Database: The database accepts no changes: permission denied for table settings\. Check /,
    );
    assert.match(
      server ?? '',
      /^fault {4}PostgreSQL: The role clerk_\d+ may not read and write these tables: \w+, \w+, \w+ and \d+ more\. Grant the rights on the database server: grant select, insert, update, delete on all tables in schema public to clerk_\d+$/,
    );
    records.change(`grant insert, update, delete on all tables in schema public to ${role}`);
    const [, closed] = await said();
    const [, advised = ''] =
      /^warning {2}PostgreSQL: .* a later release adds\. .*: (alter default .*)$/.exec(closed ?? '') ?? [];
    records.change(advised);
    const [good, limited] = await said();
    assert.equal(good, 'ok       Database: Can be read and written');
    assert.match(
      limited ?? '',
      /^ok {7}PostgreSQL: Version .*, the role \S+ may not change tables; before an upgrade, run gastpass migrate as their owner$/,
    );
  });

test('addresses that only a password can sign in cause one warning that names them, with a command', async () => {
  await installed('default');
  const records = openRecords(dataDir);
  for (const email of ['özgür@example.org', 'a\u00adb@example.org', 'lea@münchen.de'])
    records.change(
      "insert into users (email, name, role, password_hash, active, created_at_ms) values (?, 'x', 'operator', '-', 1, 1)",
      email,
    );
  records.close();
  const found = (await findings(0)).filter(({ about }) => about === 'E-mail addresses');
  assert.deepEqual(
    found.map(({ state }) => state),
    ['warning'],
  );
  for (const said of [
    'özgür@example.org',
    'a\\u{ad}b@example.org',
    'lea@münchen.de',
    'gastpass users change-email --email',
  ])
    assert.ok(found[0]?.text.includes(said), found[0]?.text);
  assert.ok(!found[0]?.text.includes('ada@'));
});
