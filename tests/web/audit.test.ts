// Tests the audit log in the web interface: actor and action of each entry, filters, paging, and the CSV, in which no
// name becomes a formula.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, signedIn, type WebClient } from './web-client.ts';

const MAX_EXPORTED = 10_000;
let service: TestService;
let admin: WebClient;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  await addUser(service, 'anna@example.org', 'admin');
  admin = await signedIn(service, 'anna@example.org');
});
after(() => service.stop());

function write(actor: string, subject: string, action = 'test.done'): void {
  const values = [actor, action, subject].map((text) => `'${text.replaceAll("'", "''")}'`);
  service.change(
    `insert into audit (at_ms, actor, action, subject) values (${service.clock.nowMs()}, ${values.join(', ')})`,
  );
}
const rowsIn = (text: string) => text.split('<tbody>')[1]?.match(/<tr>/g)?.length ?? 0;

test('an action in the web interface is logged with its actor and described in words', async () => {
  await admin.post('/keys', { name: 'Kasse', scope: 'read' });
  const { text } = await admin.get('/audit');
  assert.match(text, /Web: anna<\/td><td[^>]*>Schlüssel erstellt<\/td><td[^>]*>\w+: Kasse/);
  const english = await admin.get('/audit', { 'accept-language': 'en' });
  assert.match(english.text, /Key created/);
  const [entry] = service.rows("select actor_id from audit where action = 'key.created' order by id desc");
  const [anna] = service.rows("select id from users where name = 'anna'");
  assert.equal(entry?.actor_id, String(anna?.id));
});

test('every action over the network is logged with its IP address, and can be found by it', async () => {
  const far = { 'x-forwarded-for': '192.0.2.44' };
  const made = await admin.post('/vouchers', { site: '1', name: 'Zimmer 4' }, far);
  await admin.get(made.location ?? '');
  await admin.post('/keys', { name: 'Theke', scope: 'write', limit: '0' }, far);
  await admin.post(
    '/users/add',
    { email: 'b@example.org', name: 'Berta', role: 'operator', 'site-1': '1' },
    far,
  );
  await admin.post('/webhooks/add', { url: 'https://example.org/', format: 'generic' }, far);
  await admin.post('/profiles', { name: 'Tag', uses: '1', duration: '1', unit: 'days' }, far);
  await admin.post('/settings', { title: 'Haus', language: '', api: 'open' }, far);
  const [voucher] = service.rows('select max(id) as id from vouchers');
  await admin.post(`/vouchers/${voucher?.id}/revoke`, {}, far);
  await service.call('POST', 'vouchers.php', { headers: far, body: { site_id: 1, name: 'x' } });
  const here = service.rows("select action from audit where address = '192.0.2.44' order by id");
  assert.deepEqual(
    here.map(({ action }) => action),
    [
      'voucher.created',
      'key.created',
      'user.invited',
      'webhook.added',
      'profile.added',
      'settings.changed',
      'voucher.revoked',
      'voucher.created',
    ],
  );
  assert.equal(rowsIn((await admin.get('/audit?q=192.0.2.44')).text), here.length);
  assert.match((await admin.get('/audit/export.csv?q=192.0.2.44')).text, /,"192\.0\.2\.44"\r\n/);
  const [entry] = service.rows("select address from audit where action = 'user.signed-in'");
  assert.equal(entry?.address, '127.0.0.1');
});

test('entries are filtered by text, user and action, alone and combined', async () => {
  write('Web: Berta', 'Zimmer 7');
  write('CLI: root', 'Zimmer 7', 'key.revoked');
  for (const [query, expected] of [
    ['q=zimmer+7', 2],
    ['actor=berta', 1],
    ['q=zimmer+7&action=key.revoked', 1],
    ['actor=berta&action=key.revoked', 0],
    ['q=%25', 0],
  ] as const) {
    const { status, text } = await admin.get(`/audit?${query}`);
    assert.equal(status, 200, query);
    assert.equal(rowsIn(text), expected, query);
  }
  assert.equal((await admin.get('/audit?q=%00&actor=%00&action=%00&before=x')).status, 200);
  const { text } = await admin.get('/audit?q=gibt-es-nicht&action=%22%3E%3Cscript%3E');
  assert.match(text, /Nichts gefunden/);
  assert.ok(!text.includes('"><script>'));
});

test('paging neither skips nor repeats an entry, and keeps the filter', async () => {
  for (let number = 0; number < 120; number++) write('Web: Seiten', `Eintrag Nr. ${number};`);
  const seen: string[] = [];
  for (let path: string | undefined = '/audit?actor=seiten'; path; ) {
    const { text }: { text: string } = await admin.get(path);
    seen.push(...[...text.matchAll(/Eintrag Nr\. (\d+);/g)].map(([, number]) => number ?? ''));
    path = /href="([^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&');
  }
  assert.deepEqual(
    seen.map(Number),
    Array.from({ length: 120 }, (_, index) => 119 - index),
  );
});

test('the CSV has one line per entry, and no cell that a spreadsheet takes for a formula', async () => {
  for (const sign of ['=', '+', '-', '@', '\t=']) write(`${sign}cmd|' /C calc'!A0`, `${sign}1+1, "x"`);
  const { status, headers, text } = await admin.get('/audit/export.csv?q=1%2B1');
  assert.equal(status, 200);
  assert.match(headers.get('content-type') ?? '', /^text\/csv/);
  assert.match(
    headers.get('content-disposition') ?? '',
    /^attachment; filename="gastpass-audit-[\d-]+\.csv"$/,
  );
  const lines = text.replace(/^\ufeff/, '').split('\r\n');
  assert.equal(lines[0], '"time","actor","action","subject","address"');
  const signs = lines.slice(1, -1).map((line) => /^"[\d-]+T[\d:.]+Z","'(\t?.)cmd.*","'\1?/.exec(line)?.[1]);
  assert.deepEqual(signs.toReversed(), ['=', '+', '-', '@', '\t=']);
  assert.ok(text.includes(`"'=1+1, ""x"""`));
  assert.doesNotMatch(text, /"[=+\-@\t]/);
  const [entry] = service.rows(
    "select subject from audit where action = 'audit.exported' order by id desc limit 1",
  );
  assert.equal(entry?.subject, 'entries: 5', 'the export itself is in the audit log');
});

test('the CSV contains at most the newest ten thousand entries', async () => {
  const digits =
    '(select 0 as n union all select 1 union all select 2 union all select 3 union all select 4)';
  const from = Array.from({ length: 7 }, (_, index) => `${digits} as d${index}`).join(', ');
  service.change(
    `insert into audit (at_ms, actor, action, subject) select 1, 'Viele', 'test.done', 'x' from ${from}`,
  );
  write('Web: anna', 'der letzte');
  const { text } = await admin.get('/audit/export.csv');
  const lines = text.split('\r\n').slice(1, -1);
  assert.equal(lines.length, MAX_EXPORTED);
  assert.match(lines[0] ?? '', /der letzte/);
});

test('old entries are found by continuing the search, and the CSV contains them at once', async () => {
  const near = await admin.get('/audit?q=Kasse');
  assert.equal(rowsIn(near.text), 0);
  const further = /href="([^"]*before=[^"]*)">Weiter zurück suchen/.exec(near.text)?.[1];
  const far = await admin.get((further ?? '').replaceAll('&amp;', '&'));
  assert.equal(rowsIn(far.text), 1);
  const { text } = await admin.get('/audit/export.csv?q=Kasse');
  assert.equal(text.split('\r\n').length, 3);
});
