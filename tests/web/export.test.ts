// Tests the CSV of filtered vouchers: it contains all vouchers that the user may see, and no cell that a spreadsheet
// takes for a formula.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { formatCode } from '../../src/kernel/vouchers/voucher.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

let service: TestService;
let admin: WebClient;
let operator: WebClient;
before(async () => {
  service = await startTestService();
  const elsewhere = await service.addSite('default', 'Haus B');
  await addUser(service, 'admin@example.org', 'admin');
  const id = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, ${elsewhere})`);
  admin = await loggedIn(service, 'admin@example.org');
  operator = await loggedIn(service, 'theke@example.org');
  await admin.post('/vouchers', { site: '1', name: 'Tagung', count: '30' });
  await admin.post('/vouchers', { site: String(elsewhere), name: '=HYPERLINK("x")' });
});
after(() => service.stop());

const linesOf = (text: string) => text.trimEnd().split('\r\n').slice(1);

test('the CSV contains all vouchers that match the filter, each with its code', async () => {
  const { headers, text } = await admin.get('/export/vouchers.csv');
  assert.match(headers.get('content-disposition') ?? '', /filename="Voucher_[\d-]+\.csv"$/);
  assert.equal(linesOf(text).length, 31);
  for (const { code } of service.rows('select code from vouchers'))
    assert.ok(text.includes(`"${formatCode(String(code))}"`));
  assert.equal(linesOf((await admin.get('/export/vouchers.csv?q=tagung&state=unused')).text).length, 30);
});

test('the CSV of a batch is named after it', async () => {
  const [batch] = service.rows('select id from batches where wanted = 30');
  const { headers, text } = await admin.get(`/export/vouchers.csv?batch=${batch?.id}`);
  assert.match(headers.get('content-disposition') ?? '', /filename="[^"]+_Tagung_[\d-]+\.csv"$/);
  assert.equal(linesOf(text).length, 30);
});

test('every export leaves an audit entry with the number of vouchers', async () => {
  const entries = () =>
    service.rows("select actor, subject from audit where action = 'voucher.exported'").length;
  const before = entries();
  await operator.get('/export/vouchers.csv');
  assert.equal(entries(), before + 1);
  const [entry] = service.rows(
    "select subject, address from audit where action = 'voucher.exported' order by id desc limit 1",
  );
  assert.deepEqual({ ...entry }, { subject: 'vouchers: 1', address: '127.0.0.1' });
});

test('a revoked voucher is exported as revoked, and found by the filter', async () => {
  const [row] = service.rows("select id, code from vouchers where name like '%Tagung' limit 1");
  const revoke = (at: number | null) =>
    service.change(
      'update vouchers set revoked_at_s = ?, ended_at_s = ? where id = ?',
      at,
      at,
      Number(row?.id),
    );
  revoke(1);
  const [line, ...others] = linesOf((await admin.get('/export/vouchers.csv?state=revoked')).text);
  assert.match(line ?? '', new RegExp(`^"${formatCode(String(row?.code))}",.*"widerrufen"`));
  assert.deepEqual(others, []);
  assert.match((await admin.get('/vouchers?state=revoked')).text, /value="revoked" selected>Widerrufene</);
  revoke(null);
});

test('an operator gets only vouchers of accessible sites', async () => {
  assert.equal(linesOf((await operator.get('/export/vouchers.csv')).text).length, 1);
});

test('a name that begins like a formula is text in a spreadsheet', async () => {
  const { text } = await operator.get('/export/vouchers.csv');
  assert.doesNotMatch(text, /(^|,)"?[=+@]/m);
});
