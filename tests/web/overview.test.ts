// The overview: says that all is well when it is, names what is not with the way to mend it, and counts vouchers
// by day and by site.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId } from '../../src/domain/ids.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addPerson, signedIn, type Visitor } from './visitor.ts';

let service: TestService;
let admin: Visitor;
before(async () => {
  service = await startTestService();
  await addPerson(service, 'admin@example.org', 'admin');
  admin = await signedIn(service, 'admin@example.org');
});
after(() => service.stop());

test('when nothing is wrong it says so', async () => {
  const { status, text } = await admin.get('/overview');
  assert.equal(status, 200);
  assert.match(text, /Alles in Ordnung/);
});

test('vouchers are counted on their day and with their state', async () => {
  await admin.post('/vouchers', { site: '1', name: 'Tagung', count: '5' });
  const [row] = service.rows('select id from vouchers limit 1');
  service.change(`update vouchers set used_count = 1 where id = ${row?.id}`);
  const { text } = await admin.get('/overview');
  assert.match(text, /5 Voucher in 14 Tagen/);
  assert.match(text, /data-label="gültig">4</);
  assert.match(text, /data-label="aufgebraucht">1</);
  assert.match(text, /aria-label="4 gültig, 1 aufgebraucht, 0 abgelaufen"/);
  const bars = [...text.matchAll(/<rect class="(\w+)" x="([\d.]+)" width="([\d.]+)"/g)];
  assert.deepEqual(
    bars.map(([, status, x, width]) => [status, x, width]),
    [
      ['valid', '0.0', '96.0'],
      ['used', '96.0', '24.0'],
    ],
  );
});

test('what is wrong is named, each with the link that mends it', async () => {
  await service.beside.syncs.noteFailure(asSiteId(1), 'no connection');
  const webhook = {
    url: 'https://chat.example/secret',
    format: 'generic',
    platform: null,
    secrets: null,
  } as const;
  const id = await service.beside.webhooks.add(webhook, { actor: 'test', atMs: 1 });
  service.change(`update webhooks set failures = 3 where id = ${id}`);
  const { text } = await admin.get('/overview');
  assert.match(text, /Demo: Controller nicht erreichbar seit/);
  assert.match(text, /href="\/sites\/1"/);
  assert.match(text, /die letzten 3 Versuche ohne Erfolg/);
  assert.match(text, new RegExp(`href="/webhooks/${id}"`));
  assert.doesNotMatch(text, /Alles in Ordnung|secret/);
});
