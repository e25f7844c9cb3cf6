// Tests `gastpass mail test`, `log` and `resend`, without the service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { openInstallation } from '../../src/app/installation.ts';
import { TESTER } from '../support/actors.ts';
import { openRecords } from '../support/engine.ts';
import { startMailServer, type TestMailServer } from '../support/mail/mail-server.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';
import { configOf } from '../support/test-service.ts';

const { folder: dataDir, remove } = makeFolder();
let server: TestMailServer;
before(async () => {
  server = await startMailServer();
  const { sites, close } = await openInstallation(await configOf(dataDir));
  const simulated = { controllerKind: 'simulator', controllerSite: 'default', connection: null } as const;
  await sites.add({ name: 'Haus A', active: true, ...simulated }, { actor: TESTER, atMs: 1 });
  await close();
});
after(async () => {
  await server.stop();
  remove();
});

const serverSettings = () => ({
  SMTP_URL: `smtp://127.0.0.1:${server.port}`,
  SMTP_TLS: 'off',
  MAIL_FROM: 'Gästehaus <wlan@example.org>',
});
const mailTest = (environment: Record<string, string>, ...words: string[]) =>
  runGastpass(['mail', 'test', '--to', 'ada@example.org', ...words], { dataDir, environment });

test('mail test says that e-mail is not set up', async () => {
  const { code, stderr } = await mailTest({});
  assert.equal(code, 1);
  assert.match(stderr, /e-mail is not set up: .*SMTP_URL and MAIL_FROM/);
});

test('mail test sends a mail and shows what the server says', async () => {
  const { code, stdout } = await mailTest(serverSettings());
  assert.equal(code, 0);
  assert.match(stdout, /^accepted by the mail server: 250 /);
  assert.deepEqual(server.mails[0]?.envelope, { from: 'wlan@example.org', to: ['ada@example.org'] });
});

test('a refusal is shown with advice, also as JSON', async () => {
  server.setFault((step) => (step === 'recipient' ? '554 5.7.1 Relay access denied' : undefined));
  const { code, stderr } = await mailTest(serverSettings());
  assert.equal(code, 1);
  assert.match(stderr, /not sent: 554 5\.7\.1 Relay access denied\n.*Allow this machine on the server/s);
  const asJson = await mailTest(serverSettings(), '--json');
  assert.deepEqual(
    [asJson.code, JSON.parse(asJson.stdout)],
    [1, { ok: false, response: '554 5.7.1 Relay access denied', advice: 'relay-denied' }],
  );
  server.setFault(undefined);
});

const gastpass = (...words: string[]) => runGastpass(words, { dataDir, environment: serverSettings() });
const resend = (id: number) => gastpass('mail', 'resend', String(id));

function change(sql: string): void {
  const records = openRecords(dataDir);
  records.change(sql);
  records.close();
}

async function log(): Promise<ReturnType<typeof JSON.parse>[]> {
  const { code, stdout, stderr } = await gastpass('mail', 'log', '--json');
  assert.deepEqual([code, stderr], [0, '']);
  return JSON.parse(stdout);
}

test('mail log lists mails with masked addresses, newest first', async () => {
  assert.match((await gastpass('mail', 'log')).stdout, /No e-mails yet/);
  for (const email of ['ada@example.org', 'eve@example.org'])
    await gastpass('vouchers', 'create', '--site', '1', '--name', 'Post', '--email', email);
  const waiting = { state: 'waiting', attempts: 0, last_error: null, sent_at: null };
  assert.partialDeepStrictEqual(await log(), [
    { voucher_id: 2, address: 'e…@example.org', ...waiting },
    { voucher_id: 1, address: 'a…@example.org', ...waiting },
  ]);
  const { stdout } = await gastpass('mail', 'log', '--limit', '1');
  assert.match(stdout, /e…@example\.org/);
  assert.doesNotMatch(stdout, /a…@example\.org/);
});

test('mail resend sends a waiting or failed mail, and a sent one as a new mail', async () => {
  const [{ id }] = await log();
  for (const state of ['waiting', 'failed']) {
    change(`update messages set state = '${state}', due_at_ms = 9e15 where id = ${id}`);
    const { code, stdout } = await resend(id);
    assert.deepEqual([code, stdout], [0, `${id}\n`], state);
    assert.partialDeepStrictEqual(await log(), [{ id, state: 'waiting' }]);
  }
  change(`update messages set state = 'done', finished_at_ms = 5 where id = ${id}`);
  const { stdout } = await resend(id);
  const [again, sent] = await log();
  assert.equal(stdout, `${again.id}\n`);
  assert.notEqual(again.message_id, sent.message_id);
  assert.partialDeepStrictEqual(
    [again, sent],
    [
      { address: 'e…@example.org', state: 'waiting' },
      { id, state: 'sent' },
    ],
  );
});

test('mail resend says why a mail is not sent', async () => {
  const [{ id, voucher_id: voucher }] = await log();
  const refused = async (wanted: number) => {
    const { code, stdout, stderr } = await resend(wanted);
    assert.deepEqual([code, stdout], [1, '']);
    return stderr;
  };
  assert.match(await refused(99_999), /mail 99999 is not sent: there is no such e-mail/);
  change(`update messages set state = 'cancelled' where id = ${id}`);
  assert.match(await refused(id), /it waits for its voucher, or it was cancelled/);
  change(`update messages set state = 'waiting' where id = ${id}`);
  change(`update vouchers set ended_at_s = 1, revoked_at_s = 1 where id = ${voucher}`);
  assert.match(await refused(id), /its voucher has ended/);
});
