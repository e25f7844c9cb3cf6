// Tests a kiosk that cannot hand out a new voucher: over its limit, with a console that is away, with terms that have
// changed, at a site that is closed, and with requests that no kiosk sends.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { SCREEN_COOKIE } from '../../../src/features/screens/screen.ts';
import { asSiteId, type SiteId } from '../../../src/kernel/ids.ts';
import { MAX_ORDERED_PER_HOUR } from '../../../src/kernel/messages/order-limit.ts';
import { TESTER } from '../../support/actors.ts';
import { deviceOf, hiddenFieldsOf, type Kiosk, type KioskPage, openKiosk } from '../../support/kiosk.ts';
import { setupMail } from '../../support/setup-mail.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn } from '../web-client.ts';

const SITE = asSiteId(1);
let service: TestService;
before(async () => {
  // Without jobs, nothing refills the reserve.
  service = await startTestService({ jobs: false });
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const open = (typed: Partial<Parameters<typeof openKiosk>[1]> = {}): Promise<Kiosk> =>
  openKiosk(service, { siteId: SITE, name: 'Lobby', ...typed });
const count = (from: string) => Number(service.rows(`select count(*) as n from ${from}`)[0]?.n);
const vouchersOf = ({ id }: Kiosk) =>
  service.rows(`select * from vouchers where screen_id = ${id} order by id`);
const codeIn = (text: string) => /class="code entered">([\d-]+)</.exec(text)?.[1]?.replace('-', '');
const addReserve = (siteId: SiteId, code: string) =>
  service.change(
    `insert into stock (site_id, screen_id, state, name, max_uses, expire_minutes, down_kbps, up_kbps, quota_mb, code,
      controller_voucher_id, made_at_ms) values (?, null, 'ready', '2026-01-15_Reserve', 2, 60, 0, 0, 0, ?, ?, ?)`,
    siteId,
    code,
    `reserve-${code}`,
    service.clock.nowMs(),
  );
/** The page recovers by itself. */
function assertRecovers({ status, headers, text }: KioskPage, expected: number): void {
  assert.equal(status, expected);
  assert.match(headers.get('refresh') ?? '', /^\d+; ?url=\/screen/);
  assert.match(headers.get('retry-after') ?? '', /^\d+$/);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.doesNotMatch(text, /href="\/"/);
}
async function countedResults(): Promise<Record<string, number>> {
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  const lines = metrics.matchAll(/^gastpass_screen_orders_total\{result="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, result = '', value]) => [result, Number(value)]));
}

test('over the limit, guests are told to wait, and a place that becomes free is used', async () => {
  const kiosk = await open({ perMinute: '2' });
  for (let guest = 0; guest < 2; guest++) assert.equal((await kiosk.take()).status, 200);
  const refused = await kiosk.order();
  assertRecovers(refused, 429);
  assert.match(refused.text, /Einen Moment bitte.*Den nächsten gibt es in \d+ (Sekunden|Minuten)/s);
  const english = await kiosk.order({}, '?lang=en');
  assert.match(english.text, /One moment, please/);
  assert.match(english.headers.get('refresh') ?? '', /lang=en/);
  assert.equal(vouchersOf(kiosk).length, 2);
  assert.equal(count('intents'), 0, 'the place is given back');
  service.change(`update vouchers set created_at_s = created_at_s - 61 where screen_id = ${kiosk.id}`);
  assert.equal((await kiosk.take()).status, 200);
  assert.ok(((await countedResults()).limit ?? 0) >= 2);
});

test('40 taps at once at a limit of 10 make 10 vouchers', async () => {
  const kiosk = await open({ perMinute: '10' });
  const responses = await Promise.all(Array.from({ length: 40 }, () => kiosk.order()));
  const statuses = responses.map(({ status }) => status).toSorted();
  assert.deepEqual([...new Set(statuses)], [303, 429]);
  assert.equal(statuses.filter((status) => status === 303).length, 10);
  assert.equal(vouchersOf(kiosk).length, 10);
});

test('with a console that is away, guests get a voucher of the reserve, and then a page that recovers', async () => {
  for (const failure of ['fail:refuse', 'fail:unreachable', 'fail:nothing']) {
    const siteId = asSiteId(await service.addSite(failure, failure));
    const kiosk = await open({ siteId, asks: ['name', 'room'], name: failure });
    const code = String(7_000_000_000 + siteId);
    addReserve(siteId, code);
    const before = await countedResults();
    const fields = { name: 'Anna', room: '12' };
    const result = await kiosk.take(fields);
    assert.equal(codeIn(result.text), code, failure);
    assert.match(result.text, /2 Geräte, 1 Stunde/);
    const [voucher] = vouchersOf(kiosk);
    assert.match(String(voucher?.name), /^\d{4}-\d\d-\d\d_Anna$/);
    assert.deepEqual([voucher?.note, voucher?.source], ['Zimmer: 12', `Screen: ${failure}`]);
    assert.equal(count(`stock where site_id = ${siteId}`), 0);

    const fieldsOfForm = { ...hiddenFieldsOf(await kiosk.send('/screen')), profile: 'standard', ...fields };
    const away = await kiosk.post(fieldsOfForm);
    assertRecovers(away, 503);
    assert.match(away.text, /Gleich wieder da/);
    assert.doesNotMatch(away.text, /simulated|controller/i);
    const line = service.logLines.findLast(({ msg }) => msg === 'no voucher for a guest at a screen');
    assert.equal(line?.screenId, kiosk.id);
    assert.ok(line?.requestId);
    const after = await countedResults();
    for (const name of ['reserve', 'away']) assert.equal(after[name], (before[name] ?? 0) + 1, name);

    // The form can be sent again when there is a voucher.
    const second = String(7_100_000_000 + siteId);
    addReserve(siteId, second);
    const { location } = await kiosk.post(fieldsOfForm);
    assert.equal(codeIn((await kiosk.send(location ?? '')).text), second);
  }
});

test('the reserve does not exceed the limit of the screen', async () => {
  const siteId = asSiteId(await service.addSite('fail:refuse', 'Grenze'));
  const kiosk = await open({ siteId, perMinute: '1', name: 'Grenze' });
  addReserve(siteId, '7200000001');
  addReserve(siteId, '7200000002');
  assert.equal((await kiosk.take()).status, 200);
  assertRecovers(await kiosk.order(), 429);
  assert.equal(vouchersOf(kiosk).length, 1);
});

test('terms must be accepted in the version that was shown, which is kept with the voucher', async () => {
  const kiosk = await open({ terms: 'Fassung <1>', name: 'Bedingungen' });
  const idIn = ({ text }: KioskPage) => /name="terms" value="(\d+)"/.exec(text)?.[1] ?? '';
  const start = await kiosk.send('/screen');
  assert.match(start.text, /Fassung &lt;1&gt;/);
  const refused = await kiosk.order();
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Bitte stimmen Sie den Nutzungsbedingungen zu\./);
  await service.beside.screens.setTerms(kiosk.id, 'Fassung <2>', audit());
  const outdated = await kiosk.order({ terms: idIn(start) });
  assert.equal(outdated.status, 422);
  assert.match(outdated.text, /haben sich gerade geändert.*Fassung &lt;2&gt;/s);
  assert.equal(vouchersOf(kiosk).length, 0);
  const terms = idIn(outdated);
  assert.equal((await kiosk.take({ terms })).status, 200);
  const [voucher] = vouchersOf(kiosk);
  assert.deepEqual(
    [String(voucher?.terms_id), Number(voucher?.terms_accepted_at_s)],
    [terms, Math.floor(service.clock.nowMs() / 1000)],
  );

  await addUser(service, 'anna@example.org', 'admin');
  const anna = await loggedIn(service, 'anna@example.org');
  const { text } = await anna.get(`/vouchers/${voucher?.id}`);
  const [stored] = service.rows(`select hash from terms where id = ${terms}`);
  assert.match(text, /Nutzungsbedingungen<\/dt><dd>Version 2, zugestimmt am \d/);
  assert.ok(text.includes(String(stored?.hash)));
});

test('a mail that cannot be ordered does not keep the guest from the code', async () => {
  await setupMail(service);
  const kiosk = await open({ asks: ['email'], name: 'Post' });
  for (let mail = 0; mail < MAX_ORDERED_PER_HOUR; mail++)
    service.change(
      `insert into messages (channel, recipient_id, event_id, kind, payload, state, occurred_at_ms, ordered_by)
      values ('mail', 1, 'many-${mail}', 'voucher', '{}', 'done', ${service.clock.nowMs()}, 'screen ${kiosk.id}')`,
    );
  const result = await kiosk.take({ email: 'anna@example.org' });
  assert.match(result.text, /Die E-Mail konnte nicht gesendet werden/);
  assert.ok(codeIn(result.text));
});

test('the kiosk of a site that is not active is closed, and opens again by itself', async () => {
  const siteId = asSiteId(await service.addSite('default', 'Zu'));
  const kiosk = await open({ siteId, name: 'Zu' });
  service.change(`update sites set active = 0 where id = ${siteId}`);
  for (const page of [await kiosk.send('/screen'), await kiosk.post({ profile: 'standard' })]) {
    assert.match(page.text, /Zurzeit geschlossen/);
    assert.match(page.headers.get('refresh') ?? '', /url=\/screen/);
  }
  assert.equal(vouchersOf(kiosk).length, 0);
});

test('results belong to one device, and forged or ended cookies get none', async () => {
  const [kiosk, other] = [await open({ name: 'Eins' }), await open({ name: 'Zwei' })];
  const { location } = await kiosk.order();
  const path = location ?? '';
  const strangers = [other, deviceOf(service.url, `${SCREEN_COOKIE}=forged`), deviceOf(service.url, '')];
  for (const stranger of strangers) {
    const page = await stranger.send(path);
    assert.deepEqual([page.status, page.location], [303, '/screen']);
  }
  assert.ok(codeIn((await kiosk.send(path)).text), 'nobody else has used it up');
  for (const stranger of strangers.slice(1)) await stranger.post({ profile: 'standard' });
  await service.beside.screens.unpair(kiosk.id, audit());
  await kiosk.post({ profile: 'standard' });
  assert.deepEqual([vouchersOf(kiosk).length, vouchersOf(other).length], [1, 0]);
  const foreign = await other.send('/screen', {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    body: new URLSearchParams({ profile: 'standard' }),
  });
  assert.equal(foreign.status, 403);
  assert.equal(vouchersOf(other).length, 0);
});

test('other methods, malformed and huge forms make no voucher', async () => {
  const kiosk = await open({ name: 'Robust' });
  for (const method of ['PUT', 'DELETE', 'PATCH']) {
    const { status, headers } = await kiosk.send('/screen', { method });
    assert.deepEqual([status, headers.get('allow')], [405, 'GET, POST'], method);
  }
  const post = (type: string, body: string) =>
    kiosk.send('/screen', {
      method: 'POST',
      headers: { 'content-type': type, 'sec-fetch-site': 'same-origin' },
      body,
    });
  const form = 'application/x-www-form-urlencoded';
  for (const [type, body] of [
    ['application/json', '{"profile":"standard"}'],
    ['multipart/form-data; boundary=x', 'no boundary'],
    [form, `profile=standard&name=${'x'.repeat(2_000_000)}`],
    [form, '%ff%fe&&&===&profile'],
    [form, 'profile=standard&profile[]=1&once='.slice(0, 7)],
  ] as const)
    assert.ok([303, 413, 422].includes((await post(type, body)).status), body.slice(0, 40));
  assert.equal(vouchersOf(kiosk).length, 0);
});
