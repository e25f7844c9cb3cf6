// Tests requests of guests on both engines: asking on the public page, deciding as staff and following. Also floods,
// hostile texts, wrong addresses, and decisions at the same time.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_ASKED } from '../../../src/features/requests/ask.ts';
import {
  MAX_WAITING,
  MAX_WAITING_OF_NETWORK,
  REQUEST_MS,
} from '../../../src/features/requests/guest-request.ts';
import { makeDecisionUseCases } from '../../../src/features/requests/request-use-cases.ts';
import { makeHandOutUseCases } from '../../../src/features/reserve/hand-out-use-cases.ts';
import { asGuestRequestId, asSiteId } from '../../../src/kernel/ids.ts';
import { makeCreationUseCases } from '../../../src/kernel/vouchers/creation-use-cases.ts';
import { formatCode } from '../../../src/kernel/vouchers/voucher.ts';
import { MAX_WRONG } from '../../../src/platform/network/network-floods.ts';
import { makePathToken } from '../../../src/platform/secrets/token.ts';
import { sampleUpstream } from '../../storage/samples.ts';
import { TESTER } from '../../support/actors.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const SITE = asSiteId(1);
const FIELDS = { name: 'Frau Gast', host: 'Zimmer 12', note: 'bis Freitag' };

let service: TestService;
let anna: WebClient;
let ben: WebClient;
let page: string;
const tokens: string[] = [];
let guests = 0;

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });

before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' }, webhook: true });
  for (const name of ['anna', 'ben', 'fremd']) {
    const id = await addUser(service, `${name}@example.org`, 'operator');
    service.change(`update users set name = '${name}' where id = ${id}`);
    if (name !== 'fremd') service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  }
  anna = await loggedIn(service, 'anna@example.org');
  ben = await loggedIn(service, 'ben@example.org');
  page = await openPage(SITE);
});
after(() => service.stop());

async function openPage(siteId = SITE): Promise<string> {
  const token = makePathToken();
  tokens.push(token.token);
  await service.beside.guestRequests.openPage(siteId, token, audit());
  return `/request/${token.token}`;
}

interface Sent extends RequestInit {
  ip?: string;
}

/** Each guest has another IP address, unless a test names one. */
async function open(path: string, { ip = `198.51.100.${++guests % 250}`, headers, ...init }: Sent = {}) {
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': ip, 'accept-language': 'de', ...headers },
  });
  const location = response.headers.get('location');
  return { status: response.status, headers: response.headers, text: await response.text(), location };
}

function send(fields: Record<string, string>, { headers, ...init }: Sent = {}, to = page) {
  const body = new URLSearchParams(fields);
  const ours = { 'sec-fetch-site': 'same-origin', ...headers };
  return open(to, { method: 'POST', body, headers: ours, ...init });
}

/** Asks, and returns the path on which the guest follows, with the id of the request. */
async function ask(fields: Partial<typeof FIELDS> = {}, to = page) {
  const sent = await send({ ...FIELDS, ...fields }, {}, to);
  assert.equal(sent.status, 303, sent.text);
  tokens.push(sent.location?.split('/').at(-1) ?? '');
  const [row] = await service.rows('select max(id) as id from guest_requests');
  return { path: sent.location ?? '', id: Number(row?.id) };
}

const stateOf = async (id: number) => (await service.beside.guestRequests.find(asGuestRequestId(id)))?.state;
const countVouchers = async () => Number((await service.rows('select count(*) as n from vouchers'))[0]?.n);
const forget = () => service.change('delete from guest_requests');

test('a guest asks, staff approve with a profile, and the page of the guest shows the code', async () => {
  await service.beside.profiles.add(
    { name: 'Tagung', siteIds: [], maxUses: 3, expireMinutes: 600, downKbps: 0, upKbps: 0, quotaMb: 0 },
    audit(),
  );
  const [profile] = await service.beside.profiles.list();
  const form = await open(page);
  assert.equal(form.status, 200);
  assert.equal(form.headers.get('cache-control'), 'no-store');
  assert.equal(form.headers.get('set-cookie'), null);
  assert.equal(
    form.headers.get('referrer-policy'),
    'strict-origin',
    'or the origin of the form would be missing',
  );
  assert.match(form.headers.get('x-robots-tag') ?? '', /noindex/);

  const { path, id } = await ask();
  assert.match(path, new RegExp(`^${page}/[0-9A-Za-z]{32}$`));
  const waiting = await open(path);
  assert.equal(waiting.headers.get('cache-control'), 'no-store');
  assert.match(waiting.text, /Ihre Anfrage ist angekommen/);
  assert.match(waiting.text, /<noscript><meta http-equiv="refresh" content="5">/);
  assert.doesNotMatch(waiting.text, /Zimmer 12|bis Freitag/);

  const list = await anna.get('/requests');
  assert.match(list.text, /1 wartende Anfrage/);
  assert.match(list.text, /<span class="badge" id="menu-requests"[^>]*>1<span/);
  assert.match(list.text, /Frau Gast.*Zimmer 12.*bis Freitag/s);
  assert.equal((await anna.get('/requests/count')).text, '1');
  assert.match(
    (await anna.get('/vouchers')).headers.get('content-security-policy') ?? '',
    /connect-src 'self'/,
  );

  const approved = await anna.post(`/requests/${id}/approve`, { profile: String(profile?.id) });
  assert.deepEqual([approved.status, approved.location], [303, '/requests']);
  assert.match((await anna.get('/requests')).text, /Der Voucher ist erstellt.*genehmigt.*von anna/s);
  const [voucher] = await service.rows('select * from vouchers order by id desc limit 1');
  assert.match(String(voucher?.name), /^\d{4}-\d\d-\d\d_Frau Gast$/);
  assert.deepEqual(
    [voucher?.note, voucher?.max_uses, voucher?.expire_minutes, voucher?.source, voucher?.profile_id],
    ['Zimmer 12', 3, 600, 'Web: anna', profile?.id],
  );
  const [entry] = service.rows("select actor, subject from audit where action = 'request.approved'");
  assert.deepEqual([entry?.actor, entry?.subject], ['Web: anna', `request ${id} of site 1 (Demo)`]);
  const shown = await open(path);
  assert.ok(shown.text.includes(formatCode(String(voucher?.code))));
  assert.doesNotMatch(shown.text, /data-refresh|http-equiv="refresh"/);
  assert.equal((await anna.get('/requests/count')).text, '0');

  // The form is sent again, or the same user clicks twice: nothing more is created.
  const again = await anna.post(`/requests/${id}/approve`, { profile: 'standard' });
  assert.equal(again.status, 303);
  service.change(`update vouchers set revoked_at_s = 1, ended_at_s = 1 where id = ${voucher?.id}`);
  assert.match((await open(path)).text, /Dieser Code gilt nicht mehr/);
  assert.equal(await countVouchers(), 1);
});

test('staff decline with a reason, which the guest reads; a second decision names who was first', async () => {
  const { path, id } = await ask();
  const wrong = await anna.post(`/requests/${id}/decline`, { reason: 'a\u202eb' });
  assert.equal(wrong.status, 422);
  const declined = await anna.post(`/requests/${id}/decline`, { reason: 'Bitte <b>an die Rezeption</b>' });
  assert.equal(declined.location, '/requests');
  assert.match((await open(path)).text, /abgelehnt.*Bitte &lt;b&gt;an die Rezeption/s);
  for (const what of ['approve', 'decline']) {
    const late = await ben.post(`/requests/${id}/${what}`, {});
    assert.equal(late.status, 409);
    assert.match(late.text, /anna hat diese Anfrage schon abgelehnt/);
  }
});

test('a request that nobody decides expires, and can then not be approved', async () => {
  const { path, id } = await ask();
  service.change(`update guest_requests set expires_at_ms = expires_at_ms - ${REQUEST_MS} where id = ${id}`);
  assert.match((await open(path)).text, /abgelaufen.*Noch einmal anfragen/s);
  const vouchers = await countVouchers();
  assert.equal((await anna.post(`/requests/${id}/approve`, {})).status, 409);
  assert.equal(await countVouchers(), vouchers);
});

test('opening a link never decides', async () => {
  const { path, id } = await ask();
  for (const what of ['approve', 'decline']) {
    const opened = await anna.get(`/requests/${id}/${what}?profile=standard`);
    assert.equal(opened.status, 303, 'to the page with the form');
  }
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE'])
    for (const below of ['', '/approve', '?approve=1']) await open(path + below, { method });
  assert.equal((await open(path, { method: 'POST' })).status, 405);
  assert.equal(await stateOf(id), 'waiting');
  const foreign = await anna.post(`/requests/${id}/approve`, {}, { 'sec-fetch-site': 'cross-site' });
  assert.equal(foreign.status, 403);
  const unsigned = await anna.post(`/requests/${id}/approve`, { token: 'wrong' });
  assert.ok(unsigned.status >= 400);
  assert.equal(await stateOf(id), 'waiting');
});

test('users without the site see and decide nothing, and a deactivated site is closed', async () => {
  const { path, id } = await ask();
  const stranger = await loggedIn(service, 'fremd@example.org');
  assert.doesNotMatch((await stranger.get('/requests')).text, /Frau Gast/);
  assert.equal((await stranger.get('/requests/count')).text, '0');
  assert.doesNotMatch((await stranger.get('/vouchers')).text, /href="\/requests"/);
  for (const what of ['approve', 'decline'])
    assert.equal((await stranger.post(`/requests/${id}/${what}`, {})).status, 404);
  assert.equal(await stateOf(id), 'waiting');
  await service.beside.sites.change(SITE, { active: false }, audit());
  assert.deepEqual([(await open(page)).status, (await open(path)).status], [404, 404]);
  assert.equal((await anna.post(`/requests/${id}/approve`, {})).status, 404);
  await service.beside.sites.change(SITE, { active: true }, audit());
  assert.equal((await open(path)).status, 200);
});

test('a form that is sent twice makes one request, and what is wrong keeps the input', async () => {
  const request = makePathToken().token;
  tokens.push(request);
  const sent = await Promise.all([send({ ...FIELDS, request }), send({ ...FIELDS, request })]);
  assert.deepEqual(
    sent.map(({ location }) => location),
    [`${page}/${request}`, `${page}/${request}`],
  );
  const wrong = await send({ name: '', host: 'x'.repeat(4_096), note: 'Hallo "du"', lang: 'en' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /Please fill in this field/);
  assert.match(wrong.text, /at most 100 characters/);
  assert.match(wrong.text, /Hallo &quot;du&quot;/);
});

test('a form of another website, one that is too large, and one with bytes that are no text are refused', async () => {
  const before = await service.rows('select count(*) as n from guest_requests');
  const foreign = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'same-origin', origin: 'https://evil.example' },
    { 'sec-fetch-site': 'same-origin', origin: 'null' },
  ];
  for (const headers of foreign) assert.equal((await send(FIELDS, { headers })).status, 403);
  assert.equal((await send({ ...FIELDS, note: 'x'.repeat(100_000) })).status, 413);
  assert.equal((await send({ ...FIELDS, name: 'a\0b' })).status, 422);
  assert.equal((await send({})).status, 422);
  assert.deepEqual(await service.rows('select count(*) as n from guest_requests'), before);
});

test('hostile texts are shown as they are, to staff and guests', async () => {
  const name = '<script>alert(1)</script>"=1+1';
  const { path, id } = await ask({ name, host: '"><img src=x>', note: '=cmd|calc\n@SUM(A1)\n</section>' });
  for (const { text } of [await anna.get('/requests'), await open(path)]) {
    assert.doesNotMatch(text, /<script>alert|<img src=x|<\/section>\s*<\/p>/);
    assert.ok(text.includes('&lt;script&gt;alert(1)'));
  }
  await anna.post(`/requests/${id}/approve`, {});
  assert.equal(await stateOf(id), 'approved');
  const [row] = await service.rows('select id, note from vouchers order by id desc limit 1');
  assert.equal(row?.note, '"><img src=x>');
  const csv = await anna.get('/vouchers.csv');
  assert.doesNotMatch(csv.text, /(^|,|;)"?[=@]/m);
});

test('wrong addresses get 404 and are not looked up in a flood; valid ones still open there', async () => {
  const { path } = await ask();
  const wrong = makePathToken().token;
  for (const below of [
    '',
    '/',
    `/${wrong}`,
    `/${wrong}/${wrong}`,
    `${page.slice(8)}/${wrong}`,
    `${page.slice(8)}/`,
  ])
    assert.equal((await open(`/request${below}`)).status, 404, below);
  const other = await openPage(asSiteId(await service.addSite('default', 'Haus B')));
  assert.equal((await open(`${other}/${path.split('/').at(-1)}`)).status, 404, 'a request of another site');
  const ip = '2001:db8:1:2::1';
  const statuses = new Set<number>();
  for (let sent = 0; sent < MAX_WRONG + 5; sent++)
    statuses.add((await open(`/request/${makePathToken().token}`, { ip })).status);
  assert.deepEqual([...statuses], [404, 429]);
  assert.deepEqual([(await open(page, { ip })).status, (await open(path, { ip })).status], [200, 200]);
});

test('a network can ask only so often, and a site lets only so many wait', async () => {
  await forget();
  const ip = '203.0.113.9';
  const statuses: number[] = [];
  for (let sent = 0; sent < MAX_ASKED + 2; sent++) statuses.push((await send(FIELDS, { ip })).status);
  assert.deepEqual(statuses, [...Array(MAX_ASKED).fill(303), 429, 429]);
  const refused = await send({ ...FIELDS, name: 'Bleibt stehen' }, { ip });
  assert.equal(refused.headers.get('retry-after'), '60');
  assert.match(refused.text, /sehr viele Anfragen.*value="Bleibt stehen"/s);
  service.clock.advance(60_000);
  assert.equal((await send(FIELDS, { ip })).status, 303);
  const [row] = await service.rows('select count(*) as n from guest_requests');
  for (let count = Number(row?.n); count < MAX_WAITING; count++)
    await service.beside.guestRequests.add(
      { siteId: SITE, screenId: null, ...FIELDS, language: 'de' },
      makePathToken(),
    );
  const full = await send(FIELDS);
  assert.deepEqual([full.status, full.headers.get('retry-after')], [429, '60']);
  assert.match(full.text, /gehen Sie zur Rezeption/);
  await forget();
});

test('a flood of one IPv6 /48 does not close the page for others, and is declined at once', async () => {
  await forget();
  const askMany = async (count: number) => {
    const statuses = [];
    for (let sent = 0; sent < count; sent++)
      statuses.push((await send({ ...FIELDS, name: 'Flut' }, { ip: `2001:db8:1:${++guests}::1` })).status);
    return new Set(statuses);
  };
  await ask({ name: 'Vorher' });
  assert.deepEqual(await askMany(MAX_WAITING_OF_NETWORK), new Set([303]));
  assert.deepEqual(await askMany(5), new Set([429]));
  const other = await ask({ name: 'Nachher' });
  const list = await anna.get('/requests');
  assert.equal(
    list.text.split(`Alle ${MAX_WAITING_OF_NETWORK} wartenden`).length - 1,
    MAX_WAITING_OF_NETWORK,
  );
  const declined = await anna.post(`/requests/${other.id - 1}/decline`, { network: '1' });
  assert.equal(declined.status, 303);
  assert.match((await anna.get('/requests')).text, /2 wartende Anfragen.*Vorher.*Nachher.*Flut/s);
  await forget();
});

test('of simultaneous decisions on two instances, one counts, and the others name its user', async () => {
  const { beside } = service;
  const { createVouchers } = makeCreationUseCases(beside, { timeZone: 'Europe/Berlin' });
  const { handOutReserve } = makeHandOutUseCases(beside, { timeZone: 'Europe/Berlin' });
  const other = makeDecisionUseCases(beside, { createVouchers, handOutReserve, timeZone: 'Europe/Berlin' });
  for (let round = 0; round < 5; round++) {
    const before = await countVouchers();
    const { id } = await ask({ name: `Gast ${round}` });
    const request = (await beside.guestRequests.find(asGuestRequestId(id))) ?? assert.fail();
    const outcomes = await Promise.all([
      anna.post(`/requests/${id}/approve`, {}).then(({ status }) => status),
      ben.post(`/requests/${id}/approve`, {}).then(({ status }) => status),
      other.approveRequest(request, null, audit()).then(({ ok }) => (ok ? 303 : 409)),
      ben.post(`/requests/${id}/decline`, {}).then(({ status }) => status),
      other.declineRequest(request.id, { reason: null }, audit()).then(({ ok }) => (ok ? 303 : 409)),
    ]);
    const made = (await countVouchers()) - before;
    const state = await stateOf(id);
    assert.deepEqual(outcomes.sort(), [303, 409, 409, 409, 409]);
    assert.ok(state === 'approved' ? made === 1 : state === 'declined' && made === 0, `${state}, ${made}`);
  }
});

test('if the console is away, the request waits again and the page says so', async () => {
  const away = asSiteId(await service.addSite('fail:unreachable', 'Haus Weg'));
  const [row] = await service.rows("select id from users where email = 'anna@example.org'");
  service.change(`insert into user_sites (user_id, site_id) values (${row?.id}, ${away})`);
  const { path, id } = await ask({}, await openPage(away));
  const failed = await anna.post(`/requests/${id}/approve`, {});
  assert.equal(failed.status, 503);
  assert.match(failed.text, /Die Anfrage wartet weiter/);
  assert.equal(await stateOf(id), 'waiting');
  assert.match((await open(path)).text, /Ihre Anfrage ist angekommen/);
  const [stored] = await service.rows(`select decided_by from guest_requests where id = ${id}`);
  assert.equal(stored?.decided_by, null);
});

test('if the service dies between the order and its record, settling approves the request', async () => {
  const { beside } = service;
  const { id } = await ask({ name: 'Nach dem Absturz' });
  const order = {
    name: '2026-01-15_Nach dem Absturz',
    maxUses: 1,
    expireMinutes: 480,
    downKbps: 0,
    upKbps: 0,
    quotaMb: 0,
  };
  const purpose = { kind: 'request', requestId: asGuestRequestId(id) } as const;
  const begun = await beside.vouchers.begin({
    siteId: SITE,
    siteName: 'Demo',
    order,
    actor: TESTER,
    purpose,
  });
  assert.ok(begun.ok);
  assert.equal(await stateOf(id), 'approving');
  assert.match((await ben.post(`/requests/${id}/approve`, {})).text, /genehmigt diese Anfrage gerade/);
  const upstream = sampleUpstream('after-crash', { ...order, code: '9876543210' });
  const { created } = await beside.vouchers.recover(begun.value, [upstream]);
  assert.equal(created.length, 1);
  assert.equal(await stateOf(id), 'approved');
});

test('requests are notified, counted and logged, and no token or guest is in log, metrics or messages', async () => {
  const { id } = await ask({ name: 'Geheimer Name' });
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  for (const result of ['asked', 'approved', 'declined', 'not-approved', 'throttled', 'full'])
    assert.match(metrics, new RegExp(`gastpass_guest_requests_total\\{result="${result}"\\} [1-9]`), result);
  assert.ok(service.logLines.some(({ guestRequest, requestId }) => guestRequest === id && requestId));
  const stored = await service.rows('select * from guest_requests');
  const written = JSON.stringify([
    service.logLines.filter(({ name }) => name === undefined),
    metrics,
    await service.rows('select * from messages'),
    stored.map(({ token_hash, state }) => [token_hash, state]),
  ]);
  for (const token of tokens) assert.ok(!written.includes(token));
  assert.ok(!written.includes('Geheimer Name'));
});
