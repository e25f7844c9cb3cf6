// Tests pages and commands beside a newer release: what this release does not know is named, gives no rights, and is
// neither overwritten nor a reason for a page or a command to fail.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asKeyId } from '../../src/kernel/ids.ts';
import { makeSaveSite } from '../../src/kernel/sites/save-site.ts';
import { makeSitesFor } from '../../src/kernel/sites/sites-for.ts';
import { TESTER } from '../support/actors.ts';
import { FUTURE_SECRET, FUTURE_URL, type FutureRows } from '../support/future-rows.ts';
import { FUTURE_VALUES } from '../support/future-values.ts';
import { runGastpass } from '../support/run-gastpass.ts';
import type { TestService } from '../support/test-service.ts';
import { until } from '../support/until.ts';
import { startFutureService } from './future-service.ts';
import { makeWebClient, type WebClient } from './web-client.ts';

const NOT_KNOWN = 'dieser Version unbekannt';
const IN_COMMANDS = 'not known to this release';
const future = FUTURE_VALUES;

let service: TestService;
let admin: WebClient;
let rows: FutureRows;
let auditor = 0;
before(async () => {
  ({ service, rows, auditor, admin } = await startFutureService());
});
after(() => service.stop());

const gastpass = (...words: string[]) =>
  runGastpass(words, { dataDir: service.config.dataDir, environment: { GASTPASS_SECRET: FUTURE_SECRET } });

/** An unknown rule counts as the strictest one; the pages of this test are about the other values. */
function dropSecondFactorRule(): void {
  const settings = JSON.stringify({ title: 'Zukunft', language: 'zxx', theme: 'dark' });
  service.change("update settings set value = ? where name = 'house'", settings);
}

test('every page works for an administrator, and the lists name what they do not know', async () => {
  dropSecondFactorRule();
  const [{ id: key } = {}] = service.rows("select id from api_keys where name = 'Gäste'");
  const { site, webhook } = rows;
  const named = [
    '/sites',
    `/sites/${site.kind}`,
    '/webhooks',
    `/webhooks/${webhook.format}`,
    `/webhooks/${webhook.known}/deliveries`,
    '/users',
    '/keys',
    '/revocations/r1',
  ];
  for (const path of named) {
    const { status, text } = await admin.get(path);
    assert.deepEqual([path, status, text.includes(NOT_KNOWN)], [path, 200, true]);
  }
  const others = [
    '/',
    '/vouchers',
    '/vouchers/1',
    '/batches',
    '/batches/b1',
    '/profiles',
    '/audit',
    '/overview',
    '/health',
    '/settings',
    '/settings/e-mail',
    '/settings/single-sign-on',
    `/users/${auditor}`,
    '/sites/1',
    '/sites/1/slip',
    `/webhooks/${webhook.known}/edit`,
    `/keys/${key}/revoke`,
    '/vouchers/print?voucher=1',
    '/account',
  ];
  for (const path of others) assert.deepEqual([path, (await admin.get(path)).status], [path, 200]);
  assert.match((await admin.get('/health')).text, /Version von Gastpass kennt die Konsole nicht/);
  assert.match((await admin.get('/health')).text, /verschiedenen Versionen: .*web-9 99\.0\.0-preview/);
  assert.match((await admin.get('/audit')).text, /guest\.arrived/);
});

test('a user with a role of the future can sign in and gets no rights', async () => {
  const user = makeWebClient(service);
  assert.equal((await user.login('audi@example.org')).status, 303);
  for (const path of ['/', '/vouchers', '/account', '/users', '/account/second-factor/new'])
    assert.deepEqual([path, (await user.get(path)).status], [path, 403]);
  assert.match((await user.get('/')).text, /kennt die Rolle dieses Kontos nicht/);
  const known = await service.beside.users.findByEmail('audi@example.org');
  assert.ok(known);
  const sitesFor = makeSitesFor(service.beside);
  assert.deepEqual(await sitesFor(known), []);
  const email = 'audi@example.org';
  const identity = {
    issuer: 'https://x',
    subject: 's',
    verifiedEmail: email,
    shownEmail: email,
    name: 'Audi',
  };
  await service.beside.identities.admit(
    identity,
    { role: 'admin', siteIds: [], ruleIds: [] },
    { atMs: 1, ip: '' },
  );
  const [stored] = service.rows('select role from users where id = ?', auditor);
  assert.equal(stored?.role, future.users.role, 'a rule of single sign-on does not replace the role');
});

test('editing keeps what this release does not know, or is refused', async () => {
  const { site, webhook } = rows;
  const [{ id: key } = {}] = service.rows("select id from api_keys where name = 'Gäste'");
  const one = (sql: string, ...values: (string | number)[]) =>
    Object.values(service.rows(sql, ...values)[0] ?? {})[0];

  assert.equal((await admin.post(`/keys/${key}`, { scope: 'write', limit: '5' })).status, 409);
  assert.equal(one('select scope from api_keys where id = ?', String(key)), future.api_keys.scope);
  assert.equal(
    await service.beside.keys.change(asKeyId(String(key)), { scope: 'write' }, { actor: TESTER, atMs: 1 }),
    false,
  );

  assert.equal((await admin.post(`/users/${auditor}`, { name: 'Audi', role: 'admin' })).status, 303);
  assert.equal(one('select role from users where id = ?', auditor), future.users.role);
  assert.equal(one('select name from users where id = ?', auditor), 'Audi');

  assert.equal(
    (await admin.post(`/sites/${site.kind}`, { name: 'Neu', site: 'anders', import: 'on' })).status,
    303,
  );
  assert.equal(one('select controller_site from sites where id = ?', site.kind), 'kind');
  assert.equal(
    one('select controller_kind from sites where id = ?', site.kind),
    future.sites.controller_kind,
  );
  assert.equal((await admin.get(`/sites/${site.kind}/access`)).status, 404);
  const elsewhere = await gastpass('sites', 'set', String(site.kind), '--site', 'anders');
  assert.match(elsewhere.stderr, /not known to this release, so it cannot be changed/);
  const twin = await makeSaveSite(service.beside).add(
    {
      name: 'Zwilling',
      active: true,
      controllerKind: 'unifi',
      controllerSite: 'kind',
      connection: { url: FUTURE_URL, credentials: { apiKey: 'x' }, trust: { kind: 'ca' } },
    },
    { actor: TESTER, atMs: 1, untested: true },
  );
  assert.ok(!twin.ok && twin.problem.kind === 'twin', 'the URL of an unknown site is known');
  const refused = await gastpass('sites', 'set', String(site.credentials), '--api-key', 'x');
  assert.match(
    refused.stderr,
    /controller of this site is not known to this release, so it cannot be changed/,
  );

  const edited = await admin.post(`/webhooks/${webhook.known}/edit`, {
    name: 'known',
    events: 'chosen',
    event: 'site.recovered',
  });
  assert.equal(edited.status, 303);
  assert.equal(
    one('select events from webhooks where id = ?', webhook.known),
    'site.recovered,guest.arrived',
  );
  assert.equal((await admin.post(`/webhooks/${webhook.format}/test`, {})).status, 409);
  const paused = one("select id from messages where event_id = 'state'");
  assert.equal((await admin.post(`/webhooks/${webhook.known}/deliveries/${paused}/resend`, {})).status, 409);

  assert.equal(
    (await admin.post('/sites/1/slip', { 'wifi-name': 'Gäste', 'wifi-security': 'open' })).status,
    409,
  );
  assert.equal(one('select wifi_security from site_slips'), future.site_slips.wifi_security);
  assert.equal(
    (await admin.post('/settings', { title: 'Neu', language: 'browser', 'api-page': 'open' })).status,
    303,
  );
  assert.deepEqual(JSON.parse(String(one("select value from settings where name = 'house'"))), {
    title: 'Neu',
    language: 'zxx',
    theme: 'dark',
    isApiPageOpen: true,
  });
  const backup = { folder: '/b', name: 'n', startedAtMs: 1, bytes: null };
  await service.beside.backups.add(backup);
  assert.deepEqual(JSON.parse(String(one("select value from settings where name = 'scheduled_backups'"))), [
    backup,
    { bucket: 's3' },
  ]);
});

test('commands work and name what they do not know', async () => {
  for (const words of [
    ['sites', 'list'],
    ['webhooks', 'list'],
    ['webhooks', 'log'],
    ['users', 'list'],
    ['keys', 'list'],
  ]) {
    const { code, stdout } = await gastpass(...words);
    assert.deepEqual([words, code, stdout.includes(IN_COMMANDS)], [words, 0, true]);
  }
  // Commands have the time of the machine, not of the test. For the worker of the service these instances are dead, and
  // it deletes them from time to time.
  const insert =
    'insert or replace into instances (id, name, release, schema_version, started_at_ms, seen_at_ms) values (?, ?, ?, 18, 1, ?)';
  let stdout = '';
  await until(async () => {
    service.change(insert, 'a', 'web-1', '0.2.0', Date.now());
    service.change(insert, 'b', 'web-9', String(future.instances.release), Date.now());
    ({ stdout } = await gastpass('doctor'));
    return stdout.includes('Instances');
  });
  assert.match(
    stdout,
    /warning.*This release of Gastpass does not know the controller: not known to this release\. .* Please upgrade this instance/,
  );
  assert.match(stdout, /warning.*Webhook.*Not known to this release/);
  assert.match(
    stdout,
    /Instances.*They run different releases: web-1 0\.2\.0, web-9 99\.0\.0-preview\. Upgrade the older ones/,
  );
  assert.doesNotMatch(stdout, /Could not be examined/);
  for (const words of [
    ['privacy', 'find', 'Zimmer'],
    ['rekey'],
    ['backup', `${service.config.dataDir}/copy`, '--without-secret'],
  ])
    assert.deepEqual([words, (await gastpass(...words)).code], [words, 0]);
  const { stdout: synced } = await gastpass('sync');
  assert.match(synced, /not known to this release/);
});
