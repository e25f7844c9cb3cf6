// Tests the second factor of a user's own account: setup, login, recovery codes, guessing, and turning it off.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { codeOfStep, stepAt } from '../../src/kernel/users/totp.ts';
import { TESTER } from '../support/actors.ts';
import { dumpRecords } from '../support/disturb-records.ts';
import { startTestService, type TestService } from '../support/test-service.ts';
import { appCode, type Enrolled, enrol, readCodes, readOffer, SETUP } from './enrolled.ts';
import { addUser, loggedIn, makeWebClient, PASSWORD, type WebClient } from './web-client.ts';

const MINUTE_MS = 60_000;
const CODE = '/login/code';
const NEXT_PASSWORD = 'lang genug ist das';

let service: TestService;
before(async () => {
  service = await startTestService({ environment: { TRUSTED_PROXIES: '127.0.0.1' } });
});
after(() => service.stop());

/** A user with a second factor, and a logged-in client. */
async function owner(name: string): Promise<{ email: string; inside: WebClient; factor: Enrolled }> {
  const email = `${name}@example.org`;
  await addUser(service, email, 'operator');
  const inside = await loggedIn(service, email);
  return { email, inside, factor: await enrol(service, inside) };
}
/** A client with a pending login: the password was correct, the code is still missing. */
async function half(email: string): Promise<WebClient> {
  const webClient = makeWebClient(service);
  assert.match((await webClient.login(email)).location ?? '', /^\/login\/code/);
  return webClient;
}
const isInside = async (webClient: WebClient) => (await webClient.get('/account')).status === 200;
const actionsOf = (email: string) =>
  service
    .rows(
      `select action from audit where subject like '%(${email})' and action <> 'user.signed-in' order by id`,
    )
    .map(({ action }) => String(action).replace('user.', ''));
const failures = (subject: string) =>
  Number(service.rows(`select count from sign_in_failures where subject = '${subject}'`)[0]?.count ?? 0);

test('the second factor is set up with a code from the app, and ten recovery codes are shown once', async () => {
  await addUser(service, 'ada@example.org', 'operator');
  const ada = await loggedIn(service, 'ada@example.org');
  assert.match((await ada.get('/account')).text, /genügt das Passwort/);
  const page = await ada.get(SETUP);
  const { secret, offer } = readOffer(page);
  assert.match(secret, /^[A-Z2-7]{32}$/);
  assert.match(page.text, /<svg class="qr"/);
  assert.match(
    page.text,
    new RegExp(`<a class="button" href="otpauth://totp/[^"]*secret=${secret}[^"]*">Auf diesem`),
  );

  const wrong = await ada.post(SETUP, { offer, code: '000000' });
  assert.equal(wrong.status, 422);
  assert.match(wrong.text, /id="code-error"/);
  assert.equal(readOffer(wrong).secret, secret, 'the scanned secret stays the same');
  assert.deepEqual(service.rows('select * from second_factors'), []);

  const once = /name="once" value="([^"]+)"/.exec(wrong.text)?.[1] ?? '';
  const fields = { offer, code: ` ${appCode(service, secret)} `, once };
  const codes = readCodes(await ada.post(SETUP, fields));
  assert.equal(new Set(codes).size, 10);
  assert.equal((await ada.post(SETUP, fields)).status, 409, 'the response is reloaded');
  const account = (await ada.get('/account')).text;
  assert.match(account, /eingeschaltet/);
  assert.ok(!account.includes(codes[0] ?? ''));
  assert.equal((await ada.get(SETUP)).location, '/account');
  assert.deepEqual(actionsOf('ada@example.org'), ['second-factor-on']);
});

test('a secret that was offered to another account, or made up, is refused', async () => {
  for (const name of ['ben', 'eve']) await addUser(service, `${name}@example.org`, 'operator');
  const [ben, eve] = [await loggedIn(service, 'ben@example.org'), await loggedIn(service, 'eve@example.org')];
  const { secret, offer } = readOffer(await eve.get(SETUP));
  for (const sealed of [offer, secret, '']) {
    const refused = await ben.post(SETUP, { offer: sealed, code: appCode(service, secret) });
    assert.equal(refused.status, 422);
    assert.notEqual(readOffer(refused).secret, secret);
  }
});

test('a login asks for a code, grants no access before it, and leads to the requested page', async () => {
  const { email, factor } = await owner('cleo');
  const webClient = makeWebClient(service);
  const next = '/vouchers?q=12';
  const first = await webClient.post('/login', { email, password: 'ein gutes Passwort', next });
  assert.deepEqual([first.status, first.location], [303, `${CODE}?next=%2Fvouchers%3Fq%3D12`]);
  assert.equal(webClient.cookies.has('gastpass'), false);
  for (const path of ['/', '/account', SETUP])
    assert.match((await webClient.get(path)).location ?? '', /^\/login/);
  webClient.cookies.set('gastpass', webClient.cookies.get('gastpass-half') ?? '');
  assert.equal(await isInside(webClient), false, 'a pending login is not a session');
  webClient.cookies.delete('gastpass');

  const page = await webClient.get(first.location ?? '');
  assert.match(page.text, /name="next" value="\/vouchers\?q=12"/);
  const wrong = await webClient.post(CODE, { code: '000000', next });
  assert.equal(wrong.status, 401);
  assert.match(wrong.text, /id="code-error"/);
  assert.match(wrong.text, /name="next" value="\/vouchers\?q=12"/);
  const inside = await webClient.post(CODE, { code: factor.nextCode(), next });
  assert.deepEqual([inside.status, inside.location], [303, next]);
  assert.equal(await isInside(webClient), true);
  assert.equal(failures(`account ${email}`), 0);
});

test('a code logs in once, also when it is sent twice at the same time', async () => {
  const { email, factor } = await owner('dora');
  assert.equal((await (await half(email)).post(CODE, { code: appCode(service, factor.secret) })).status, 401);
  const [one, other] = [await half(email), await half(email)];
  const code = factor.nextCode();
  await Promise.all([one, other].map((webClient) => webClient.post(CODE, { code })));
  const inside = [await isInside(one), await isInside(other)];
  assert.deepEqual(inside.toSorted(), [false, true]);
  assert.notEqual(
    (await (inside[0] ? other : one).post(CODE, { code })).status,
    303,
    'the code does not work later either',
  );
});

test('a recovery code logs in once, in any spelling, and the page shows how many are left', async () => {
  const { email, factor } = await owner('emil');
  const [code = ''] = factor.recoveryCodes;
  const webClient = await half(email);
  assert.equal((await webClient.post(CODE, { code: code.toUpperCase().replaceAll('-', ' ') })).status, 303);
  assert.match((await webClient.get('/account')).text, /Noch 9 Ersatzcodes/);
  assert.equal((await (await half(email)).post(CODE, { code })).status, 401);
  assert.ok(actionsOf(email).includes('recovery-code-used'));
});

test('guesses at codes are throttled even if the password is entered again, but not permanently blocked', async () => {
  const { email, factor } = await owner('finn');
  const webClient = await half(email);
  const guess = (from: WebClient, code = '000000', address = '192.0.2.1') =>
    from.post(CODE, { code }, { 'x-forwarded-for': address });
  for (let turn = 0; turn < 4; turn++) assert.equal((await guess(webClient)).status, 401);
  const again = await half(email);
  assert.equal(failures(`account ${email}`), 4, 'the correct password does not reset the count');
  const last = await guess(webClient);
  assert.equal(last.status, 401);
  assert.match(last.text, /noch einmal anmelden/, 'a pending login allows five wrong codes');
  assert.equal(failures('address 192.0.2.1'), 5);
  const right = codeOfStep(factor.secret, stepAt(service.clock.nowMs()) + 1);
  const refused = await guess(again, right, '192.0.2.2');
  assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '1']);
  service.clock.advance(1_000);
  assert.equal((await guess(again, right, '192.0.2.2')).status, 303);
});

test('guesses at codes from elsewhere do not slow down a device on which a code was entered', async () => {
  const { email, inside, factor } = await owner('greta');
  const fields = { 'current-password': PASSWORD, 'next-password': NEXT_PASSWORD };
  assert.equal((await inside.post('/account/password', fields)).status, 303);
  inside.cookies.delete('gastpass');
  const stranger = makeWebClient(service);
  await stranger.login(email, NEXT_PASSWORD);
  for (let turn = 0; turn < 5; turn++) await stranger.post(CODE, { code: '000000' });
  await stranger.login(email, NEXT_PASSWORD);
  const code = codeOfStep(factor.secret, stepAt(service.clock.nowMs()) + 1);
  assert.equal((await stranger.post(CODE, { code })).status, 429);
  await inside.login(email, NEXT_PASSWORD);
  assert.equal((await inside.post(CODE, { code: '000000' })).status, 401);
  assert.equal((await inside.post(CODE, { code })).status, 303);
  assert.equal(
    failures(`account ${email}`),
    5,
    'the stranger gets no new attempts by the login of the owner',
  );
});

test('a device that is known by its password only has no code throttle of its own', async () => {
  const email = 'gero@example.org';
  await addUser(service, email, 'operator');
  const before = await loggedIn(service, email);
  await enrol(service, await loggedIn(service, email));
  await before.login(email);
  await before.post(CODE, { code: '000000' });
  assert.equal(failures(`account ${email}`), 1);
});

test('a known device may enter five wrong codes, too', async () => {
  const { email, inside, factor } = await owner('gesa');
  inside.cookies.delete('gastpass');
  await inside.login(email);
  for (let turn = 0; turn < 5; turn++) await inside.post(CODE, { code: '000000' });
  await inside.login(email);
  const code = codeOfStep(factor.secret, stepAt(service.clock.nowMs()) + 1);
  assert.equal((await inside.post(CODE, { code })).status, 429);
  assert.equal(failures(`account ${email}`), 0);
});

test('a pending login ends after five minutes, and when the password changes', async () => {
  const { email, factor } = await owner('hugo');
  const slow = await half(email);
  service.clock.advance(5 * MINUTE_MS);
  assert.equal((await slow.get(CODE)).location, '/login?next=%2F');
  const late = await slow.post(CODE, { code: factor.nextCode() });
  assert.equal(late.status, 401);
  assert.match(late.text, /noch einmal anmelden/);

  const early = await half(email);
  const audit = { actor: TESTER, atMs: service.clock.nowMs() };
  await service.beside.users.setPassword(email, { passwordHash: 'another', audit });
  assert.equal((await early.post(CODE, { code: factor.nextCode() })).status, 401);
  assert.equal(await isInside(early), false);
});

test('turning on the second factor ends all other sessions of the user', async () => {
  const email = 'zwei@example.org';
  await addUser(service, email, 'operator');
  const [here, elsewhere] = [await loggedIn(service, email), await loggedIn(service, email)];
  const thief = makeWebClient(service);
  thief.cookies.set('gastpass', here.cookies.get('gastpass') ?? '');
  assert.equal((await thief.get('/account')).status, 200);
  await enrol(service, here);
  assert.equal((await here.get('/account')).status, 200);
  for (const other of [elsewhere, thief])
    assert.match((await other.get('/account')).location ?? '', /^\/login/);
});

test('new recovery codes and turning off the second factor require confirmation and a code', async () => {
  const { email, inside, factor } = await owner('ida');
  const [codes, off] = ['/account/second-factor/codes', '/account/second-factor/off'];
  for (const path of [codes, off]) {
    assert.match((await inside.get(path)).text, /note warn/);
    const wrong = await inside.post(path, { code: '000000' });
    assert.equal(wrong.status, 422);
    assert.match(wrong.text, /id="code-error"/);
  }
  const made = readCodes(await inside.post(codes, { code: factor.nextCode() }));
  assert.equal(made.length, 10);
  const [old = ''] = factor.recoveryCodes;
  assert.equal((await inside.post(off, { code: old })).status, 422, 'the previous recovery codes are void');
  assert.equal((await inside.post(off, { code: made[0] ?? '' })).location, '/account');
  assert.equal((await makeWebClient(service).login(email)).location, '/');
  assert.deepEqual(actionsOf(email), [
    'second-factor-on',
    'recovery-codes-made',
    'recovery-code-used',
    'second-factor-off',
  ]);
});

test('over HTTPS the cookie of a pending login is restricted to this host and lasts five minutes', async () => {
  const { email } = await owner('jana');
  const webClient = makeWebClient(service);
  const https = { 'x-forwarded-proto': 'https' };
  const door = await webClient.get('/login', https);
  const token = /name="token" value="([^"]+)"/.exec(door.text)?.[1] ?? '';
  const fields = { token, email, password: 'ein gutes Passwort' };
  const first = await webClient.post('/login', fields, https);
  assert.match(
    first.headers.getSetCookie()[0] ?? '',
    /^__Host-gastpass-half=[\w-]+; Max-Age=300; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
  );
});

test('secrets and codes are neither stored in plain text nor logged', async () => {
  const { email, factor } = await owner('kai');
  const webClient = await half(email);
  const code = factor.nextCode();
  await webClient.post(CODE, { code });
  const token = webClient.cookies.get('gastpass-half') ?? '';
  assert.ok(token.length > 30);
  for (const secret of [factor.secret, token, ...factor.recoveryCodes]) {
    assert.ok(!dumpRecords(service).includes(secret));
    assert.ok(!JSON.stringify(service.logLines).includes(secret));
  }
  assert.ok(!JSON.stringify(service.logLines).includes(`"${code}"`));
});
