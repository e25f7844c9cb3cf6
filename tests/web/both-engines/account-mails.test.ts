// Tests the mails to users: a link for a forgotten password tells nobody who has an account, works once and for half an
// hour, and is found neither in a log nor in a table; invitations; and notices about changes of an account.

import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Email } from 'postal-mime';
import * as v from 'valibot';
import { MAIL_CHANNEL } from '../../../src/features/mail/mail.ts';
import { asMessageId } from '../../../src/kernel/ids.ts';
import { makeInvite, makeRequestReset } from '../../../src/kernel/users/invitations.ts';
import { NOBODYS_HASH } from '../../../src/kernel/users/password.ts';
import type { User } from '../../../src/kernel/users/user.ts';
import { makeCleanUpTurn } from '../../../src/kernel/vouchers/turns/clean-up.ts';
import { TESTER } from '../../support/actors.ts';
import { dumpRecords } from '../../support/disturb-records.ts';
import { startMailServer, type TestMailServer } from '../../support/mail/mail-server.ts';
import { requestFrom } from '../../support/slow-requests.ts';
import { startTestService, type TestService } from '../../support/test-service.ts';
import { enrol } from '../enrolled.ts';
import { addUser, loggedIn, makeWebClient } from '../web-client.ts';

const PUBLIC_URL = 'https://wifi.example.org';
const FORGOTTEN = '/login/forgotten';
const NEXT = 'vier Kühe tanzen nachts';
const MINUTE_MS = 60_000;
const PATIENCE_MS = 30_000;

let mailServer: TestMailServer;
let service: TestService;
let user: User;
let made = 0;
before(async () => {
  mailServer = await startMailServer();
  service = await startTestService({
    pace: 0.1,
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
      SMTP_TLS: 'off',
      MAIL_FROM: 'Hotel <wifi@example.org>',
      PUBLIC_URL,
    },
  });
});
after(async () => {
  await service.stop();
  await mailServer.stop();
});
beforeEach(async () => {
  mailServer.setFault(undefined);
  // So that the requests of one test do not make the next one wait.
  service.clock.advance(2 * MINUTE_MS);
  user = await newUser();
});

async function newUser(): Promise<User> {
  const email = `user${++made}@example.org`;
  await addUser(service, email, 'operator');
  const found = await service.beside.users.findByEmail(email);
  assert.ok(found);
  return found;
}

const audit = () => ({ actor: TESTER, atMs: service.clock.nowMs() });
const ask = (email: string) => makeWebClient(service).post(FORGOTTEN, { email });
const use = (path: string) => makeWebClient(service).post(path, { password: NEXT });
const open = async (path: string) => (await makeWebClient(service).get(path)).status;

/** As the page asks, but the caller knows when it is done. */
const askNow = (email: string) =>
  makeRequestReset({ ...service.beside, pause: async () => {} })({ email, language: 'de', ip: '192.0.2.1' });

const messagesOf = () =>
  service.rows(`select id, kind, state, sealed_payload from messages where channel = 'mail' order by id`);

/** Waits for the mails to this address, and returns them. */
async function mailsTo(address: string, count = 1): Promise<Email[]> {
  const found = () => mailServer.mails.filter(({ envelope }) => envelope.to[0] === address);
  for (const giveUpAt = performance.now() + PATIENCE_MS; found().length < count; await sleep(10))
    assert.ok(performance.now() < giveUpAt, `only ${found().length} mails to ${address}`);
  return Promise.all(found().map((mail) => mail.parse()));
}

/** Waits until no mail waits, and returns the number of mails to this address. */
async function countMailsTo(address: string): Promise<number> {
  const waits = () => messagesOf().some(({ state }) => state === 'waiting');
  for (const giveUpAt = performance.now() + PATIENCE_MS; waits(); await sleep(10))
    assert.ok(performance.now() < giveUpAt, 'a mail still waits');
  return mailServer.mails.filter(({ envelope }) => envelope.to[0] === address).length;
}

function pathIn({ text = '' }: Email): string {
  const [, path] = new RegExp(`^${PUBLIC_URL}(/invitation/[\\w-]{43})$`, 'm').exec(text) ?? [];
  assert.ok(path, text);
  return path;
}

test('a forgotten password is replaced with the link in the mail, once, and the owner is told', async () => {
  const before = await loggedIn(service, user.email);
  assert.match((await makeWebClient(service).get('/login')).text, /href="\/login\/forgotten"/);
  assert.equal((await ask(user.email.toUpperCase())).status, 200);
  const [mail] = await mailsTo(user.email);
  assert.ok(mail);
  assert.equal(mail.subject, 'Neues Passwort für Gastpass');
  assert.ok(mail.html?.includes(`href="${PUBLIC_URL}/invitation/`));
  const path = pathIn(mail);
  assert.equal(await open(path), 200);
  const pages = await Promise.all([1, 2, 3].map(() => use(path)));
  assert.deepEqual(pages.map(({ status }) => status).toSorted(), [303, 404, 404]);
  assert.equal(await open(path), 404);
  assert.match((await before.get('/account')).location ?? '', /^\/login\?/);
  assert.equal((await makeWebClient(service).login(user.email)).status, 401);
  assert.equal((await makeWebClient(service).login(user.email, NEXT)).status, 303);

  const [, notice] = await mailsTo(user.email, 2);
  assert.equal(notice?.subject, 'Ihr Passwort wurde geändert: Gastpass');
  assert.doesNotMatch(`${notice?.text} ${notice?.html}`, /https?:|href/);

  const entries = service
    .rows(`select actor, action from audit where subject like '%(${user.email})' order by id`)
    .map(({ actor, action }) => `${actor}: ${action}`);
  assert.ok(entries.includes('Unknown: user.password-link-made'));
  assert.ok(entries.includes(`Web: ${user.name}: user.password-link-used`));
  const token = path.split('/').at(-1) ?? '';
  assert.ok(!dumpRecords(service).includes(token));
  assert.ok(!JSON.stringify(service.logLines).includes(token));
  await countMailsTo(user.email);
  assert.ok(messagesOf().every(({ sealed_payload }) => sealed_payload === null));
});

test('the response is the same for every address, and only users with a password get a mail', async () => {
  const [off, external] = [await newUser(), await newUser()];
  await service.beside.users.change(off.id, { active: false }, audit());
  service.change('update users set password_hash = ? where email = ?', NOBODYS_HASH, external.email);
  const invited = `invited${made}@example.org`;
  await service.beside.invitations.addUser(
    { email: invited, name: 'I', role: 'operator', passwordHash: 'none', createdAtMs: 1 },
    { tokenHash: invited, expiresAtMs: service.clock.nowMs() + MINUTE_MS },
    audit(),
  );
  const others = [off.email, external.email, invited, 'nobody@example.org', 'no address', '', '\u0000'];
  const said = await Promise.all([user.email, ...others].map(async (email) => sayPage(await ask(email))));
  for (const page of said) assert.deepEqual(page, said[0]);
  await mailsTo(user.email);
  for (const email of others.slice(0, -1)) await askNow(email);
  for (const email of others) assert.equal(await countMailsTo(email), 0, email);
});

/** Everything of a response that is not random. */
function sayPage({ status, headers, text }: Awaited<ReturnType<typeof ask>>) {
  const random = /request-id|date|traceparent|set-cookie/;
  return {
    status,
    headers: [...headers].filter(([name]) => !random.test(name)),
    text: text.replace(/name="token" value="[^"]*"/g, ''),
  };
}

test('the link begins with the public address, whatever the request says', async () => {
  const headers = {
    host: 'evil.example',
    'x-forwarded-host': 'evil.example',
    forwarded: 'host=evil.example',
    origin: 'http://evil.example',
  };
  const client = makeWebClient(service);
  const { text } = await client.get('/login');
  const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const { status } = await requestFrom(service.url + FORGOTTEN, {
    method: 'POST',
    headers: { ...headers, cookie, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token, email: user.email }).toString(),
  });
  assert.equal(status, 200);
  const [mail] = await mailsTo(user.email);
  assert.ok(mail);
  pathIn(mail);
  assert.doesNotMatch(`${mail.text} ${mail.html}`, /evil/);
});

test('typing an address voids no link: neither that of an administrator nor those of earlier mails', async () => {
  const link = await makeInvite(service.beside).existingUser(user, audit());
  for (let n = 0; n < 5; n++) await askNow(user.email);
  const mailed = (await mailsTo(user.email, 3)).map(pathIn);
  assert.equal(await countMailsTo(user.email), 3);
  const paths = [`/invitation/${link?.token}`, ...mailed];
  assert.deepEqual(await Promise.all(paths.map(open)), [200, 200, 200, 200]);
  assert.equal((await use(mailed[1] ?? '')).status, 303);
  assert.deepEqual(await Promise.all(paths.map(open)), [404, 404, 404, 404]);
});

test('a link ends after 30 minutes, with a changed address and a deactivated user', async () => {
  await askNow(user.email);
  const [path = ''] = (await mailsTo(user.email)).map(pathIn);
  service.clock.advance(30 * MINUTE_MS - 1);
  assert.equal(await open(path), 200);
  service.clock.advance(1);
  assert.equal(await open(path), 404);
  assert.equal((await use(path)).status, 404);

  const [moved, off] = [await newUser(), await newUser()];
  for (const { email } of [moved, off]) await askNow(email);
  const [ofMoved] = (await mailsTo(moved.email)).map(pathIn);
  const [ofOff] = (await mailsTo(off.email)).map(pathIn);
  await service.beside.users.changeEmail(moved.id, `moved${made}@example.org`, audit());
  await service.beside.users.change(off.id, { active: false }, audit());
  for (const void_ of [ofMoved, ofOff]) assert.equal((await use(void_ ?? '')).status, 404);
  const [, notice] = await mailsTo(moved.email, 2);
  assert.equal(notice?.subject, 'Ihre E-Mail-Adresse wurde geändert: Gastpass');
  await countMailsTo(off.email);
  assert.equal(await countMailsTo(`moved${made}@example.org`), 0);
});

test('a user with a second factor enters its code after the new password', async () => {
  const { nextCode } = await enrol(service, await loggedIn(service, user.email));
  await askNow(user.email);
  const mails = await mailsTo(user.email, 2);
  assert.equal(mails[0]?.subject, 'Zwei-Faktor-Anmeldung eingeschaltet: Gastpass');
  const browser = makeWebClient(service);
  const { location } = await browser.post(pathIn(mails[1] ?? mails[0]), { password: NEXT });
  assert.match(location ?? '', /^\/login\/code\?/);
  assert.match((await browser.get('/account')).location ?? '', /^\/login\?/);
  assert.equal((await browser.post('/login/code', { code: nextCode() })).location, '/');
});

test('an account gets three links in half an hour, also for simultaneous requests, and a network is refused after ten', async () => {
  await Promise.all(Array.from({ length: 6 }, () => askNow(user.email)));
  const written = () =>
    service.rows(`select id from messages where ordered_by = 'password-reset ${user.id}'`).length;
  assert.equal(written(), 3);
  // The last link works no longer, so the user needs another one.
  service.clock.advance(30 * MINUTE_MS);
  await askNow(user.email);
  assert.equal(written(), 4);
  const links = service.rows(`select token_hash from reset_links where user_id = ${user.id}`);
  assert.equal(links.length, 1, 'links that have ended are deleted');

  const client = makeWebClient(service);
  const statuses = [];
  for (let n = 0; n < 11; n++)
    statuses.push((await client.post(FORGOTTEN, { email: 'x@example.org' })).status);
  assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
});

test('a link that ended before its mail could be sent is neither sent nor kept', async () => {
  mailServer.setFault((step) => (step === 'connect' ? '421 4.3.2 not now' : undefined));
  await askNow(user.email);
  service.clock.advance(31 * MINUTE_MS);
  await makeCleanUpTurn(
    { ...service.beside, readTrustedTime: trusted },
    [],
    [service.beside.cancelEndedLinks],
  )();
  const last = messagesOf().at(-1);
  assert.deepEqual([last?.kind, last?.state, last?.sealed_payload], ['password-reset', 'cancelled', null]);
  mailServer.setFault(undefined);
  await service.beside.mailServer.endPause();
  assert.equal(await countMailsTo(user.email), 0);
});
const trusted = async () => ({ nowMs: service.clock.nowMs(), runningMs: 0 });

test('a mail server that repeats the link in its refusal does not bring it into a log or a table', async () => {
  mailServer.setFault((step) => (step === 'connect' ? '421 4.3.2 not now' : undefined));
  await askNow(user.email);
  const id = asMessageId(Number(messagesOf().at(-1)?.id));
  const message = await service.beside.messages.find(MAIL_CHANNEL, id);
  const { token } = v.parse(v.object({ token: v.string() }), message?.sealedPayload);
  mailServer.setFault((step) =>
    step === 'content' ? `554 5.7.1 Bad link ${PUBLIC_URL}/invitation/${token}` : undefined,
  );
  await service.beside.mailServer.endPause();
  assert.equal(await countMailsTo(user.email), 0);
  const [attempt] = service.rows(
    `select error from message_attempts where message_id = ${id} order by id desc`,
  );
  assert.match(String(attempt?.error), /Bad link/);
  assert.ok(!dumpRecords(service).includes(token));
  assert.ok(!JSON.stringify(service.logLines).includes(token));
});

test('an administrator sends an invitation by mail', async () => {
  await addUser(service, `admin${made}@example.org`, 'admin');
  const admin = await loggedIn(service, `admin${made}@example.org`);
  const email = `guest${made}@example.org`;
  assert.match((await admin.get('/users/add')).text, /name="mail" value="1" checked/);
  const fields = { email, name: 'Gast', role: 'admin' };
  const { text } = await admin.post('/users/add', { ...fields, mail: '1' });
  assert.match(text, /ist unterwegs/);
  const [mail] = await mailsTo(email);
  assert.equal(mail?.subject, 'Einladung zu Gastpass');
  assert.ok(text.includes(pathIn(mail)));
  assert.match((await admin.get('/mails')).text, />Einladung</);
  assert.equal((await use(pathIn(mail))).location, '/');
  assert.equal(await countMailsTo(email), 1, 'no notice about the first password');

  const id = (await service.beside.users.findByEmail(email))?.id;
  await admin.post(`/users/${id}/password`, {});
  await admin.post(`/users/${id}/password`, { mail: '1' });
  const [, reset] = await mailsTo(email, 2);
  assert.equal(reset?.subject, 'Neues Passwort für Gastpass');
});

test('changes by somebody else are reported, too', async () => {
  const { email } = user;
  await enrol(service, await loggedIn(service, email));
  await service.beside.secondFactors.remove(user, audit());
  await service.beside.users.setPassword(email, { passwordHash: 'x', audit: audit() });
  const subjects = (await mailsTo(email, 3)).map(({ subject }) => subject);
  assert.deepEqual(subjects, [
    'Zwei-Faktor-Anmeldung eingeschaltet: Gastpass',
    'Zwei-Faktor-Anmeldung ausgeschaltet: Gastpass',
    'Ihr Passwort wurde geändert: Gastpass',
  ]);
});

test('failed backups are mailed to the administrators once, until a backup succeeds', async () => {
  const email = `backup${made}@example.org`;
  await addUser(service, email, 'admin');
  const { backupFailureReports: reports } = service.beside;
  for (const problem of ['ENOSPC: no space left', 'ENOSPC again'])
    await reports.report(problem, service.clock.nowMs());
  assert.equal(await countMailsTo(email), 1);
  const [mail] = await mailsTo(email);
  assert.match(mail?.text ?? '', /ENOSPC: no space left/);
  await reports.end();
  await reports.report('EIO', service.clock.nowMs());
  assert.equal(await countMailsTo(email), 2);
  assert.equal(await countMailsTo(user.email), 0);
});

test('without a public address or a mail server, nothing is offered and no mail is written', async () => {
  const smtp = {
    SMTP_URL: `smtp://127.0.0.1:${mailServer.port}`,
    SMTP_TLS: 'off',
    MAIL_FROM: 'a@example.org',
  };
  for (const environment of [smtp, { PUBLIC_URL }]) {
    const other = await startTestService({ environment });
    await addUser(other, 'admin@example.org', 'admin');
    const admin = await loggedIn(other, 'admin@example.org');
    assert.equal((await makeWebClient(other).get(FORGOTTEN)).status, 404);
    assert.equal((await makeWebClient(other).post(FORGOTTEN, { email: 'admin@example.org' })).status, 404);
    assert.doesNotMatch((await makeWebClient(other).get('/login')).text, /forgotten/);
    assert.doesNotMatch((await admin.get('/users/add')).text, /name="mail"/);
    await admin.post('/users/add', { email: 'b@example.org', name: 'B', role: 'admin', mail: '1' });
    assert.deepEqual(other.rows('select id from messages'), []);
    await other.stop();
  }
});
