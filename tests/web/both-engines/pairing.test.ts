// Tests how a device is paired with a screen, and what its cookie is worth.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { MAX_PAIRINGS } from '../../../src/features/screens/pair-screen.ts';
import { PAIRING_MS } from '../../../src/features/screens/screen.ts';
import { makeScreenUseCases } from '../../../src/features/screens/screen-use-cases.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import { TESTER } from '../../support/actors.ts';
import { addScreenTo, cookieOf, pairDevice, sendCode } from '../../support/added-screen.ts';
import { withMoreCases } from '../../support/more-cases.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { addUser, loggedIn } from '../web-client.ts';

const MINUTE_MS = 60_000;
const WRONG_CODES = withMoreCases ? 10_000 : 100;
const FORM = 'name="code"';

let service: TestService;
let siteId: ReturnType<typeof asSiteId>;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
  siteId = asSiteId(await service.addSite());
});
after(() => service.stop());

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const add = (name: string) => addScreenTo(service.beside, { siteId, name });
const pair = (code: string) => pairDevice(service.url, code);
const isPaired = async (cookie: string) => !(await open(cookie)).text.includes(FORM);
async function open(cookie: string) {
  const response = await fetch(`${service.url}/screen`, { headers: { cookie, accept: 'text/html' } });
  return { status: response.status, text: await response.text(), headers: response.headers };
}

test('a device is paired with a code that is typed in any way, and gets a cookie for /screen only', async () => {
  const { id, pairingCode } = await add('Lobby');
  assert.equal((await open('')).status, 200);
  assert.ok((await open('')).text.includes(FORM));
  const paired = await sendCode(service.url, ` ${pairingCode.replace('-', ' ').toLowerCase()} `, {
    'user-agent': 'Tablet 7',
    'x-forwarded-proto': 'https',
    'x-forwarded-for': '192.0.2.7',
  });
  assert.equal(paired.status, 303);
  const [cookie] = paired.headers.getSetCookie();
  assert.match(
    cookie ?? '',
    /^gastpass_screen=[\w-]{43}; Max-Age=34560000; Path=\/screen; HttpOnly; Secure; SameSite=Strict$/,
  );
  assert.ok(await isPaired(cookieOf(paired) ?? ''));
  const screen = await service.beside.screens.find(id);
  assert.partialDeepStrictEqual(screen, { seenIp: '192.0.2.7', seenAgent: 'Tablet 7', pairingUntilMs: null });
  const { entries } = await service.beside.searchAudit({ action: 'screen.paired', limit: 1 });
  assert.partialDeepStrictEqual(entries[0], {
    actor: { kind: 'screen', name: 'Lobby' },
    ip: '192.0.2.7',
  });
});

test('a code that was used, has expired, or was never given is refused, and the form keeps it', async () => {
  const { pairingCode } = await add('Used');
  const late = await add('Late');
  await pair(pairingCode);
  service.clock.advance(PAIRING_MS);
  for (const code of [pairingCode, late.pairingCode, 'ACDE-FGHJ', 'nonsense"><b>', '', ' ']) {
    const refused = await sendCode(service.url, code);
    const text = await refused.text();
    assert.equal(refused.status, 422, code);
    assert.equal(cookieOf(refused), undefined);
    assert.ok(!text.includes('<b>'));
    if (code === 'ACDE-FGHJ') assert.ok(text.includes('value="ACDE-FGHJ"'));
  }
  const { renewPairing } = makeScreenUseCases(service.beside);
  const renewed = await renewPairing(late.id, audit());
  await pair(renewed?.pairingCode ?? assert.fail());
});

test('of many devices that send the same code at once, one is paired', async () => {
  const { pairingCode } = await add('Many');
  const responses = await Promise.all(Array.from({ length: 8 }, () => sendCode(service.url, pairingCode)));
  const cookies = responses.flatMap((response) => cookieOf(response) ?? []);
  assert.equal(cookies.length, 1);
  assert.ok(await isPaired(cookies[0] ?? ''));
});

test('a cookie is worthless as soon as another process unpairs, pairs anew or removes the screen', async () => {
  service.clock.advance(MINUTE_MS);
  const { id, pairingCode } = await add('Stolen');
  const { screens } = service.beside;
  const { renewPairing } = makeScreenUseCases(service.beside);
  const renew = async () => (await renewPairing(id, audit()))?.pairingCode ?? assert.fail();

  const first = await pair(pairingCode);
  const again = await renew();
  assert.ok(await isPaired(first));
  const second = await pair(again);
  assert.deepEqual([await isPaired(first), await isPaired(second)], [false, true]);
  await screens.unpair(id, audit());
  assert.equal(await isPaired(second), false);
  const third = await pair(await renew());
  await screens.remove(id, audit());
  assert.equal(await isPaired(third), false);
  const forged = ['x'.repeat(43), '', '%', third.split('=')[1]?.toLowerCase(), 'a'.repeat(4_000)];
  for (const secret of forged) assert.equal(await isPaired(`gastpass_screen=${secret}`), false);
});

test('wrong codes are limited per network, however many are sent', async () => {
  service.clock.advance(MINUTE_MS);
  const { pairingCode } = await add('Guessed');
  const send = (code: string, ip: string) => sendCode(service.url, code, { 'x-forwarded-for': ip });
  for (let at = 0; at < MAX_PAIRINGS; at++)
    assert.equal((await send('ACDE-FGHJ', `198.51.100.${at}`)).status, 422, 'each network sends one code');
  let tried = 0;
  for (let sent = 0; sent < WRONG_CODES; sent += 100) {
    const responses = await Promise.all(Array.from({ length: 100 }, () => send('ACDE-FGHJ', '203.0.113.5')));
    tried += responses.filter(({ status }) => status === 422).length;
  }
  assert.equal(tried, MAX_PAIRINGS);
  const refused = await send('ACDE-FGHJ', '203.0.113.5');
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60']);
  assert.equal((await send(pairingCode, '203.0.113.5')).status, 303, 'an administrator in the same network');
  assert.ok(service.logLines.some(({ network, pairingCodes }) => network === '203.0.113.5' && pairingCodes));
});

test('no code, cookie or address with one is ever written to the log', async () => {
  service.clock.advance(MINUTE_MS);
  const { pairingCode } = await add('Quiet');
  const cookie = await pair(pairingCode);
  await open(cookie);
  const log = JSON.stringify(service.logLines);
  for (const secret of [pairingCode, pairingCode.replace('-', ''), cookie.split('=')[1] ?? ''])
    assert.ok(!log.includes(secret));
});

test('a form of another website pairs nothing', async () => {
  const { pairingCode } = await add('Elsewhere');
  for (const headers of [{ 'sec-fetch-site': 'cross-site' }, { origin: 'https://evil.example' }] as Record<
    string,
    string
  >[])
    assert.equal((await sendCode(service.url, pairingCode, headers)).status, 403);
  await pair(pairingCode);
});

test('on /screen, a user and an API key are strangers', async () => {
  await addUser(service, 'anna@example.org', 'admin');
  const admin = await loggedIn(service, 'anna@example.org');
  const stranger = await open('');
  assert.equal((await admin.get('/screen')).text, stranger.text);
  const keyed = await service.call('GET', '/screen', { headers: { accept: 'text/html' } });
  assert.equal(keyed.text, stranger.text);
});

test('the time of the last request is stored once a minute, and every page renews the cookie', async () => {
  service.clock.advance(MINUTE_MS);
  const { id, pairingCode } = await add('Seen');
  const cookie = await pair(pairingCode);
  const seenAt = async () => (await service.beside.screens.find(id))?.seenAtMs ?? 0;
  const before = await seenAt();
  assert.match((await open(cookie)).headers.get('set-cookie') ?? '', /^gastpass_screen=/);
  assert.equal(await seenAt(), before);
  service.clock.advance(2 * MINUTE_MS);
  await open(cookie);
  assert.ok((await seenAt()) > before);
});

test('the screen of a site that is not active says that it is closed, and tries again by itself', async () => {
  service.clock.advance(MINUTE_MS);
  const { pairingCode } = await add('Closed');
  const cookie = await pair(pairingCode);
  await service.beside.sites.change(siteId, { active: false }, audit());
  const { status, headers, text } = await open(cookie);
  await service.beside.sites.change(siteId, { active: true }, audit());
  assert.deepEqual([status, headers.get('refresh')], [200, '60; url=/screen']);
  assert.ok(!text.includes('<a '));
});
