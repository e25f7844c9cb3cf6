// The vouchers of a filter as CSV: all of them, only those that may be seen, and nothing that runs.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addPerson, signedIn, type Visitor } from './visitor.ts';

let service: TestService;
let admin: Visitor;
let operator: Visitor;
before(async () => {
  service = await startTestService();
  const elsewhere = await service.addSite('default', 'Haus B');
  await addPerson(service, 'admin@example.org', 'admin');
  const id = await addPerson(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, ${elsewhere})`);
  admin = await signedIn(service, 'admin@example.org');
  operator = await signedIn(service, 'theke@example.org');
  await admin.post('/vouchers', { site: '1', name: 'Tagung', count: '30' });
  await admin.post('/vouchers', { site: String(elsewhere), name: '=HYPERLINK("x")' });
});
after(() => service.stop());

const linesOf = (text: string) => text.trimEnd().split('\r\n').slice(1);

test('all vouchers of the filter are in it, each with its code', async () => {
  const { headers, text } = await admin.get('/export/vouchers.csv');
  assert.match(headers.get('content-disposition') ?? '', /attachment/);
  assert.equal(linesOf(text).length, 31);
  for (const { code } of service.rows('select code from vouchers')) assert.ok(text.includes(`"${code}"`));
  assert.equal(linesOf((await admin.get('/export/vouchers.csv?q=tagung&state=valid')).text).length, 30);
});

test('an operator gets those of their own sites', async () => {
  assert.equal(linesOf((await operator.get('/export/vouchers.csv')).text).length, 1);
});

test('a name that begins like a formula is text in every spreadsheet', async () => {
  const { text } = await operator.get('/export/vouchers.csv');
  assert.doesNotMatch(text, /(^|,)"?[=+@]/m);
});
