// Tests `gastpass mail test`, without the service.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startMailServer, type TestMailServer } from '../support/mail/mail-server.ts';
import { makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder: dataDir, remove } = makeFolder();
let server: TestMailServer;
before(async () => {
  server = await startMailServer();
  await runGastpass(['migrate'], { dataDir });
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
  assert.match(stderr, /not sent: 554 5\.7\.1 Relay access denied\n.*Allow this machine there/s);
  const asJson = await mailTest(serverSettings(), '--json');
  assert.deepEqual(
    [asJson.code, JSON.parse(asJson.stdout)],
    [1, { ok: false, response: '554 5.7.1 Relay access denied', advice: 'relay-denied' }],
  );
  server.setFault(undefined);
});
