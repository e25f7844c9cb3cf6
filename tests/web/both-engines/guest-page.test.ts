// Tests the page that a guest opens with a link, on both engines: what it shows, how long it opens, and that wrong
// links are refused alike and throttled without locking out other guests.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { asSiteId, asVoucherId } from '../../../src/kernel/ids.ts';
import { makePersonalText } from '../../../src/kernel/privacy/personal-text.ts';
import { FIRST_SLIP } from '../../../src/kernel/slips/slip.ts';
import { MAX_WRONG } from '../../../src/platform/network/network-floods.ts';
import { makePathToken } from '../../../src/platform/secrets/token.ts';
import { TESTER } from '../../support/actors.ts';
import { cases } from '../../support/more-cases.ts';
import { makePng } from '../../support/pictures.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn, type WebClient } from '../web-client.ts';

const PUBLIC = 'https://wlan.example.org';
const SITE = asSiteId(1);
const WIFI = { wifiName: 'Seeblick Gäste', wifiSecurity: 'wpa', wifiPassword: 'am-wasser-2026' } as const;

let service: TestService;
let staff: WebClient;
/** Every token of the test, so that it can be searched for in what the service writes. */
const tokens: string[] = [];
let guests = 0;

before(async () => {
  service = await startTestService({ environment: { PUBLIC_URL: PUBLIC, TRUSTED_PROXIES: '127.0.0.1' } });
  const id = await addUser(service, 'theke@example.org', 'operator');
  service.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
  staff = await loggedIn(service, 'theke@example.org');
  await service.beside.sites.change(SITE, { hasGuestPage: true }, audit());
  await service.beside.slips.save(SITE, { ...FIRST_SLIP, ...WIFI, text: 'Willkommen' }, audit());
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });

/** Each guest has another IP address, unless a test names one. */
async function open(path: string, init: RequestInit & { ip?: string } = {}) {
  const { ip = `198.51.100.${++guests}`, headers, ...rest } = init;
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    ...rest,
    headers: { 'x-forwarded-for': ip, ...headers },
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function makeVoucher(maxUses = 1) {
  const { code } = await service.client.createVoucher({ site: 1, name: 'Frau Geheim', devices: maxUses });
  const [row] = await service.rows('select id from vouchers order by id desc limit 1');
  return { id: asVoucherId(Number(row?.id)), siteId: SITE, code };
}

async function makeLink(maxUses?: number) {
  const voucher = await makeVoucher(maxUses);
  const token = makePathToken();
  tokens.push(token.token);
  assert.ok(await service.beside.guestLinks.add(voucher, token, audit()));
  return { ...voucher, path: `/g/${token.token}` };
}

/** The path of the link that the page of the voucher shows. */
async function shownLink(id: number): Promise<string | undefined> {
  const { text } = await staff.get(`/vouchers/${id}?qr=link`);
  const url = new RegExp(`${PUBLIC}(/g/[0-9A-Za-z]{32})`).exec(text)?.[1];
  if (url) tokens.push(url.slice(3));
  return url;
}

test('staff make, renew and withdraw a link, and each change is in the audit log', async () => {
  const { id } = await makeVoucher();
  assert.match((await staff.get(`/vouchers/${id}`)).text, /Gäste-Link/);
  assert.equal(await shownLink(id), undefined);
  const next = `/vouchers/${id}?qr=link#qr`;
  for (let times = 0; times < 2; times++) {
    const made = await staff.post(`/vouchers/${id}/link`, { next });
    assert.deepEqual([made.status, made.location], [303, next]);
  }
  const first = (await shownLink(id)) ?? '';
  assert.equal((await open(first)).status, 200);
  assert.match(
    (await staff.get(`/vouchers/${id}?qr=link`)).text,
    /Zuletzt geöffnet am \S+ zwischen \d\d:00 und \d\d:00\sUhr\./,
  );

  assert.match((await staff.get(`/vouchers/${id}/link/renew`)).text, /erneuern\?/);
  const renewed = await staff.post(`/vouchers/${id}/link/renew`, {});
  assert.match((await staff.get(renewed.location ?? '')).text, /Der Link ist erneuert/);
  const second = (await shownLink(id)) ?? '';
  assert.match((await staff.get(`/vouchers/${id}?qr=link`)).text, /Noch nicht geöffnet/);
  assert.deepEqual([(await open(first)).status, (await open(second)).status], [404, 200]);

  await staff.post(`/vouchers/${id}/link/withdraw`, {});
  assert.equal((await open(second)).status, 404);
  assert.equal(await shownLink(id), undefined);
  const late = await staff.post(`/vouchers/${id}/link/renew`, {});
  assert.doesNotMatch((await staff.get(late.location ?? '')).text, /Der Link ist erneuert/);
  const entries = await service.rows(
    `select action, subject from audit where subject like 'voucher ${id} of%' and action <> 'voucher.created' order by id`,
  );
  const subject = `voucher ${id} of site 1 (Demo)`;
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    ['made', 'renewed', 'withdrawn'].map((what) => ({ action: `voucher.link-${what}`, subject })),
  );
});

test('a link whose sealed token cannot be opened counts as none, and a new link replaces it', async () => {
  const { id, path } = await makeLink();
  await service.change(`update guest_links set sealed_token = 'v2.broken' where voucher_id = ${id}`);
  assert.equal(await shownLink(id), undefined);
  await staff.post(`/vouchers/${id}/link`, { next: `/vouchers/${id}` });
  const made = (await shownLink(id)) ?? '';
  assert.deepEqual([(await open(path)).status, (await open(made)).status], [404, 200]);
});

test('administrators switch the pages on and off in the form of the site', async () => {
  await addUser(service, 'admin@example.org', 'admin');
  const admin = await loggedIn(service, 'admin@example.org');
  const saved = async (fields: Record<string, string>) => {
    await admin.post('/sites/1', { name: 'Demo', import: 'on', site: 'default', ...fields });
    return [
      (await service.beside.sites.find(SITE))?.hasGuestPage,
      /name="guest-page" value="on"[^>]* checked/.test((await admin.get('/sites/1')).text),
    ];
  };
  assert.deepEqual(await saved({ 'guest-page': 'off' }), [false, false]);
  assert.deepEqual(await saved({}), [false, false]);
  assert.deepEqual(await saved({ 'guest-page': 'on' }), [true, true]);
  assert.deepEqual(await saved({}), [true, true], 'a form without the field changes nothing');
  const [entry] = await service.rows(
    "select subject from audit where action = 'site.changed' order by id desc limit 1",
  );
  assert.match(String(entry?.subject), /site 1/);
});

test('a voucher of another site gets no link from a user without access to the site', async () => {
  const other = await service.addSite('default', 'Anderswo');
  service.change(`update sites set guest_page = 1 where id = ${other}`);
  await service.client.createVoucher({ site: other, name: 'Fremd' });
  const [row] = await service.rows('select id from vouchers order by id desc limit 1');
  for (const below of ['link', 'link/renew', 'link/withdraw'])
    assert.equal((await staff.post(`/vouchers/${row?.id}/${below}`, {})).status, 404, below);
  assert.deepEqual(await service.rows(`select * from guest_links where voucher_id = ${row?.id}`), []);
});

test('the page shows code, Wi-Fi and steps, one QR code at a time, and nothing about the staff', async () => {
  const { path, code } = await makeLink();
  const shown = code.replace(/^(.{5})/, '$1-');
  const { status, text } = await open(path);
  assert.equal(status, 200);
  const { wifiName, wifiPassword } = WIFI;
  for (const part of [shown, wifiName, wifiPassword, 'Willkommen', 'Demo – ohne WLAN', 'Mit dem WLAN'])
    assert.ok(text.includes(part), part);
  assert.doesNotMatch(text, /Geheim|theke|<form|href="\/(vouchers|login)?"/);
  assert.match(text, /<ol class="guide"><li>.*<\/li><li>.*<\/li><li>.*<\/li><\/ol>/s);
  for (const [query, label] of [
    ['', 'Mit dem WLAN verbinden'],
    ['?qr=code', 'Code übertragen'],
    ['?qr=nonsense', 'Mit dem WLAN verbinden'],
  ]) {
    const { text: page } = await open(`${path}${query}`);
    const labels = [...page.matchAll(/<svg class="qr"[^>]*aria-label="([^"]*)"/g)].map((found) => found[1]);
    assert.deepEqual(labels, [label], query);
  }
  assert.ok(text.length < 100_000);
});

test('the browser decides the language until the guest chooses one, and no cookie is needed for it', async () => {
  const { path } = await makeLink();
  const titleOf = async (query: string, accepted: string) =>
    /<h1>(.*?)<\/h1>/.exec(
      (await open(path + query, { headers: { 'accept-language': accepted } })).text,
    )?.[1];
  assert.equal(await titleOf('', 'en-GB,de;q=0.5'), 'Your Wi-Fi access');
  assert.equal(await titleOf('', 'fr'), 'Ihr WLAN-Zugang');
  assert.equal(await titleOf('?lang=en', 'de'), 'Your Wi-Fi access');
  assert.equal(await titleOf('?lang=xx', 'de'), 'Ihr WLAN-Zugang');
});

test('a used voucher is shown as redeemed with the time that is left', async () => {
  const { id, path } = await makeLink(2);
  const nowS = Math.floor(service.clock.nowMs() / 1000);
  await service.change(
    `update vouchers set used_count = 1, first_used_at_s = ${nowS - 3600} where id = ${id}`,
  );
  assert.match((await open(path)).text, /eingelöst ✓<\/span> noch 7.Std\S*, bis \S\S\.,\s\d.*:\d\d\sUhr/);
  assert.match((await open(`${path}?qr=code`)).text, /Code übertragen/);
  await service.change(`update vouchers set used_count = 2 where id = ${id}`);
  assert.doesNotMatch((await open(`${path}?qr=code`)).text, /Code übertragen/);
});

test('the logo of the site is shown, and only to guests with a right link', async () => {
  const { path } = await makeLink();
  assert.equal((await open(`${path}/logo`)).status, 404);
  await service.beside.images.save(`site-${SITE}`, { type: 'image/png', bytes: makePng() }, audit());
  assert.match((await open(path)).text, new RegExp(`<img class="logo" src="${path}/logo"`));
  const logo = await open(`${path}/logo`);
  assert.deepEqual([logo.status, logo.headers.get('content-type')], [200, 'image/png']);
  assert.equal((await open(`/g/${'a'.repeat(32)}/logo`)).status, 404);
  await service.beside.images.remove(`site-${SITE}`, audit());
});

test('the page has a band in the colour of the site, by default none', async () => {
  const { path } = await makeLink();
  assert.doesNotMatch((await open(path)).text, /class="band"/);
  const slip = await service.beside.slips.find(SITE);
  await service.beside.slips.save(SITE, { ...slip, colour: '#1d4f91' }, audit());
  assert.match((await open(path)).text, /<svg class="band" [^>]*><rect [^>]*fill="#1d4f91"/);
});

test('no answer below /g/ is indexed, cached, framed or given away in a Referer header, and none sets a cookie', async () => {
  const { path } = await makeLink();
  for (const asked of [path, `${path}/logo`, `/g/${'a'.repeat(32)}`, '/g/', '/g', '/g/x/y'])
    for (const method of ['GET', 'HEAD', 'POST']) {
      const { headers, text } = await open(asked, { method });
      assert.equal(headers.get('cache-control'), 'no-store', asked);
      assert.equal(headers.get('referrer-policy'), 'no-referrer');
      assert.match(headers.get('x-robots-tag') ?? '', /noindex/);
      assert.match(
        headers.get('content-security-policy') ?? '',
        /default-src 'none'.*frame-ancestors 'none'/,
      );
      assert.deepEqual(headers.getSetCookie(), []);
      if (method === 'GET') assert.match(text, /<meta name="robots" content="noindex">/);
    }
});

test('unknown, renewed, withdrawn, revoked, expired, deleted, switched-off and deactivated links get the same answer', async () => {
  const nowS = Math.floor(service.clock.nowMs() / 1000);
  const links = [];
  for (let count = 0; count < 7; count++) links.push(await makeLink());
  const [renewed, withdrawn, revoked, expired, deleted, gone, off] = links;
  assert.ok(renewed && withdrawn && revoked && expired && deleted && gone && off);
  for (const { path } of [renewed, withdrawn, revoked, expired, deleted, gone])
    assert.equal((await open(path)).status, 200);
  await service.beside.guestLinks.renew(renewed, makePathToken(), audit());
  await service.beside.guestLinks.remove(withdrawn, audit());
  await staff.post(`/vouchers/${revoked.id}/revoke`, {});
  const change = (set: string, id: number) => service.change(`update vouchers set ${set} where id = ${id}`);
  await change(`used_count = 1, first_used_at_s = ${nowS - 480 * 60}`, expired.id);
  await change(`ended_at_s = ${nowS - 1}`, deleted.id);
  await service.change(`delete from vouchers where id = ${gone.id}`);
  const wrong = links.filter((link) => link !== off).map(({ path }) => path);
  const a = (times: number) => 'a'.repeat(times);
  const odd = ['', 'x', 'x/y', `${a(32)}/`, a(33), a(8_000), `%61${a(31)}`];
  const responses = new Map<string, string>();
  const note = async (path: string) => {
    const { status, headers, text } = await open(path);
    const comparable = [...headers].filter(([name]) => name !== 'date' && name !== 'x-request-id');
    responses.set(JSON.stringify([status, comparable, text]), path);
  };
  for (const path of [`/g/${'a'.repeat(32)}`, ...wrong, ...odd.map((one) => `/g/${one}`)]) await note(path);
  assert.equal((await open(off.path)).status, 200);
  for (const change of [{ hasGuestPage: false }, { hasGuestPage: true, active: false }]) {
    await service.beside.sites.change(SITE, change, audit());
    await note(off.path);
  }
  assert.equal(responses.size, 1, [...responses.values()].join('\n'));
  assert.equal((await open(off.path)).status, 404);
  await service.beside.sites.change(SITE, { active: true }, audit());
  assert.equal((await open(off.path)).status, 200);
  assert.equal((await open(off.path.toUpperCase().replace('/G/', '/g/'))).status, 404);
});

test('other methods than GET and HEAD are refused in the same way for every link', async () => {
  const { path } = await makeLink();
  for (const asked of [path, `/g/${'a'.repeat(32)}`])
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await open(asked, { method });
      assert.deepEqual([status, headers.get('allow')], [405, 'GET, HEAD'], method);
    }
  assert.deepEqual(await open(path, { method: 'HEAD' }).then(({ status, text }) => [status, text]), [
    200,
    '',
  ]);
});

test('a flood of wrong links is throttled, and guests in the same network still open theirs', async () => {
  const { path } = await makeLink();
  const flooding = (count: number, from: string) =>
    Promise.all(
      Array.from({ length: count }, async () => {
        const { token } = makePathToken();
        tokens.push(token);
        return (await open(`/g/${token}`, { ip: from })).status;
      }),
    );
  const [ip, neighbour] = ['2001:db8:1:2::1', '2001:db8:1:2::beef'];
  const statuses = new Map<number, number>();
  for (let round = 0; round < cases({ everyday: 3, long: 100 }); round++)
    for (const status of await flooding(100, ip)) statuses.set(status, (statuses.get(status) ?? 0) + 1);
  assert.deepEqual([...statuses.keys()].sort(), [404, 429]);
  assert.ok((statuses.get(404) ?? 0) < MAX_WRONG + 100);

  const throttled = await open(`/g/${'b'.repeat(32)}`, { ip: neighbour });
  assert.deepEqual([throttled.status, throttled.headers.get('retry-after')], [429, '60']);
  assert.equal((await open(path, { ip: neighbour })).status, 200);
  assert.equal((await open(`/g/${'b'.repeat(32)}`, { ip: '2001:db8:1:3::1' })).status, 404);
  // A link that is made meanwhile opens within a second.
  const made = await makeLink();
  service.clock.advance(1_000);
  assert.equal((await open(made.path, { ip })).status, 200);
  service.clock.advance(60_000);
  assert.equal((await open(`/g/${'b'.repeat(32)}`, { ip })).status, 404);

  const warnings = service.logLines.filter(({ msg }) => String(msg).startsWith('flood of wrong guest links'));
  assert.deepEqual(
    warnings.map(({ network, wrongLinks }) => [network, wrongLinks]),
    [['2001:db8:1:2::/64', MAX_WRONG]],
  );
});

test('no token is in the log, the metrics or the audit log, and the sealed tokens are not readable', async () => {
  const { path } = await makeLink();
  // Errors must not repeat the address: an unreadable host, and a path that is too long for Node.
  await rawRequest(service.url, `GET ${path} HTTP/1.1\r\nhost: a b\r\n\r\n`);
  const long = `${path}${'a'.repeat(4_000_000)}`;
  await rawRequest(service.url, `GET ${long} HTTP/1.1\r\nhost: x\r\n\r\n`).catch(() => {});
  const metrics = await (await fetch(`${service.url}/metrics`)).text();
  assert.match(metrics, /gastpass_guest_pages_total\{result="opened"\} [1-9]/);
  assert.match(metrics, /gastpass_guest_pages_total\{result="throttled"\} [1-9]/);
  const stored = await service.rows('select * from guest_links');
  const written = JSON.stringify([
    service.logLines,
    metrics,
    await service.rows('select * from audit'),
    stored,
  ]);
  assert.ok(written.includes('/g/:token') && stored.length > 0);
  assert.deepEqual(
    tokens.filter((token) => written.includes(token)),
    [],
  );
});

test('deleting a voucher deletes its link, and so does a week after its end', async () => {
  const [deleted, open] = [await makeLink(), await makeLink()];
  const left = async () =>
    (await service.rows('select voucher_id from guest_links order by 1')).map((row) =>
      Number(row.voucher_id),
    );
  await service.change(`delete from vouchers where id = ${deleted.id}`);
  assert.ok(!(await left()).includes(deleted.id));
  const used = 'used_count = 1, first_used_at_s = 100000 - 480 * 60';
  for (const end of ['ended_at_s = 100000', 'ends_at_s = 100000', used]) {
    const { id } = await makeLink();
    await service.change(`update vouchers set ${end} where id = ${id}`);
    await service.beside.guestLinks.forgetEnded(100_000);
    assert.ok((await left()).includes(id), end);
    await service.beside.guestLinks.forgetEnded(100_001);
    assert.ok(!(await left()).includes(id) && (await left()).includes(open.id), end);
  }
});

test('privacy finds the link of a voucher with the name, and erasing the name deletes the link', async () => {
  const { id } = await makeLink();
  await service.change(
    `update vouchers set name = '2026-01-15_Erika Muster', revoked_at_s = 1, ended_at_s = 1 where id = ${id}`,
  );
  const erika = makePersonalText('Erika Muster');
  assert.ok(erika.ok);
  const store = await service.beside.openPersonalData();
  const found = async () => {
    const tables: string[] = [];
    for await (const { table, row } of store.find(erika.value)) {
      tables.push(table);
      assert.doesNotMatch(JSON.stringify(row), /hash|sealed/);
    }
    return tables.filter((table) => table !== 'audit');
  };
  assert.deepEqual(await found(), ['vouchers', 'guest_links']);
  await store.erase(erika.value, audit());
  assert.deepEqual(await found(), []);
  assert.deepEqual(await service.rows(`select * from guest_links where voucher_id = ${id}`), []);
});

test('without a public address no link is offered, and administrators read why', async () => {
  const local = await startTestService();
  try {
    const change = { hasGuestPage: true };
    await local.beside.sites.change(SITE, change, { actor: TESTER, atMs: local.clock.nowMs() });
    await local.client.createVoucher({ site: 1, name: 'Ohne' });
    for (const role of ['admin', 'operator'] as const) {
      const id = await addUser(local, `${role}@example.org`, role);
      local.change(`insert into user_sites (user_id, site_id) values (${id}, 1)`);
      const user = await loggedIn(local, `${role}@example.org`);
      const { text } = await user.get('/vouchers/1');
      assert.equal(text.includes('/settings#public-url-card'), role === 'admin');
      assert.doesNotMatch(text, /vouchers\/1\/link/);
      await user.post('/vouchers/1/link', { next: '/vouchers/1' });
    }
    assert.deepEqual(await local.rows('select * from guest_links'), []);
  } finally {
    await local.stop();
  }
});
