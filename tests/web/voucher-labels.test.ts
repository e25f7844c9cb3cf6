// Tests what pages show of a voucher that another program ordered: its reference, its note and its profile.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { TESTER } from '../support/actors.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from './web-client.ts';

const REFERENCE = `bk-${'17'.repeat(48)}X`;
/** A row of the list with a voucher that can be selected. */
const ROW = /<input type="checkbox" name="voucher"/g;
const LIMITS = { maxUses: 1, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };

let service: TestService;
let admin: WebClient;
let voucher: { id: number; code: string };
let profile: Awaited<ReturnType<TestService['beside']['profiles']['add']>>;
before(async () => {
  service = await startTestService();
  await addUser(service, 'admin@example.org', 'admin');
  admin = await loggedIn(service, 'admin@example.org');
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  profile = await service.beside.profiles.add({ name: 'Hotelgast', ...LIMITS, siteIds: [] }, audit);
  const order = (body: object) => service.call('POST', 'v1/vouchers', { body: { site: 1, ...body } });
  const { json } = await order({
    name: 'Zimmer 12',
    profile,
    reference: REFERENCE,
    note: '=1+1 <b>spät</b>',
  });
  [voucher] = json.vouchers;
  await order({ name: 'Zimmer 13' });
});
after(() => service.stop());

test('the page of a voucher shows its reference, its note and, while it exists, its profile', async () => {
  const page = () => admin.get(`/vouchers/${voucher.id}`);
  const { text } = await page();
  assert.ok(text.includes(`<dt>Referenz</dt><dd>${REFERENCE}</dd>`));
  assert.ok(text.includes('<dt>Notiz</dt><dd>=1+1 &lt;b&gt;spät&lt;/b&gt;</dd>'));
  assert.ok(text.includes('<dt>Profil</dt><dd>Hotelgast</dd>'));
  await service.beside.profiles.remove(profile, { actor: TESTER, atMs: service.clock.nowMs() });
  assert.doesNotMatch((await page()).text, /<dt>Profil/);
  const other = await admin.get(`/vouchers/${voucher.id + 1}`);
  assert.doesNotMatch(other.text, /<dt>(Referenz|Notiz|Profil)/);
});

test('the list is searched by any part of a reference, and shows its beginning', async () => {
  const all = await admin.get('/vouchers');
  assert.match(all.text, /placeholder="Code, Name oder Referenz"/);
  assert.equal(all.text.match(ROW)?.length, 2);
  for (const part of [REFERENCE, '717x', 'BK-17']) {
    const { text } = await admin.get(`/vouchers?q=${part}`);
    assert.equal(text.match(ROW)?.length, 1, part);
    assert.ok(text.includes(`<span class="sub">${REFERENCE.slice(0, 20)}…</span>`), part);
  }
});

test('the last columns of the CSV are reference and note, without formulas', async () => {
  const [head, ...lines] = (await admin.get('/export/vouchers.csv?sort=oldest')).text.trimEnd().split('\r\n');
  assert.match(head ?? '', /"Erstellt von","Referenz","Notiz"$/);
  assert.ok(lines[0]?.endsWith(`,"${REFERENCE}","'=1+1 <b>spät</b>"`), lines[0]);
  assert.ok(lines[1]?.endsWith(',"",""'), lines[1]);
});
