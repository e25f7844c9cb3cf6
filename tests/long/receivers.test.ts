// The example receivers in docs/webhooks.md, each started as the document says. They get the requests of our sender,
// and invalid requests.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeSendNotification } from '../../src/features/webhooks/channel/send-notification.ts';
import { signatureHeaders, toGenericMessage } from '../../src/features/webhooks/channel/signed-message.ts';
import type { Notification } from '../../src/features/webhooks/notification.ts';
import { makeSigningSecret, rotated } from '../../src/features/webhooks/signing-secret.ts';
import type { SigningSecrets } from '../../src/features/webhooks/webhook.ts';
import { asWebhookId } from '../../src/kernel/ids.ts';
import { makeFolder } from '../support/run-gastpass.ts';
import { until } from '../support/until.ts';

const PATIENCE_MS = 30_000;
const TOLERANCE_MS = 300_000;
/** Allows for the time between sending and checking. */
const MARGIN_MS = 30_000;

const folder = fileURLToPath(new URL('../../docs/receivers/', import.meta.url));
const document = readFileSync(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');

const languages = [
  { name: 'Node', file: 'receiver.mjs', command: process.execPath, words: [] },
  { name: 'Python', file: 'receiver.py', command: 'python3', words: [] },
  { name: 'PHP', file: 'receiver.php', command: 'php', words: ['-S', '127.0.0.1:0'] },
];

test('the example in the document matches what is sent, and its signature is valid', () => {
  const secret = /`(whsec_[^`]+)`/.exec(document)?.[1] ?? '';
  const body = /^\{"type":"voucher\.created".*$/m.exec(document)?.[0] ?? '';
  const eventId = /^webhook-id: (.+)$/m.exec(document)?.[1] ?? '';
  const occurredAtMs = Date.parse(JSON.parse(body).timestamp);
  const names = { siteName: 'Haus A', source: 'API: Kasse' };
  assert.equal(toGenericMessage({ ...makeNotification(), ...names, occurredAtMs }).body, body);
  for (const [name, value] of Object.entries(
    signatureHeaders({ eventId, body }, { current: secret }, occurredAtMs),
  ))
    assert.ok(document.includes(`\n${name}: ${value}\n`), `the document does not show ${name}: ${value}`);
});

for (const language of languages) {
  const { name, file } = language;
  test(`the document shows the current source of the receiver in ${name}`, () => {
    const text = readFileSync(folder + file, 'utf8').trimEnd();
    assert.ok(
      document.includes(`\n${text}\n\`\`\``),
      `docs/webhooks.md does not show docs/receivers/${file}`,
    );
  });

  describe(`the receiver in ${name}`, () => testReceiver(language));
}

function testReceiver(language: (typeof languages)[number]): void {
  const secret = makeSigningSecret();
  const ours: SigningSecrets = { current: secret };
  let receiver: Receiver;
  before(async () => {
    receiver = await startReceiver(language, secret);
  });
  after(() => receiver.stop());

  async function send(
    notification: Notification,
    { secrets = ours, laterMs = 0 }: { secrets?: SigningSecrets; laterMs?: number } = {},
  ): Promise<number | null> {
    const clock = { nowMs: () => Date.now() + laterMs };
    const sendNotification = makeSendNotification({ rule: 'any', clock, timeoutMs: PATIENCE_MS });
    const made = await sendNotification(webhookAt(receiver.url, secrets), notification, neverEnding());
    assert.equal(made.status === null ? made.error : null, null);
    return made.status;
  }

  /** Returns the output for an event, after a later event has been printed. */
  async function printedOf({ eventId }: Notification): Promise<string[]> {
    const last = makeNotification();
    assert.equal(await send(last), 204);
    await until(() => receiver.printed().includes(last.eventId), {
      otherwise: 'the last event is not printed',
    });
    const lines = receiver.printed().split('\n');
    return lines.filter((line) => line.includes(eventId)).map((line) => line.replace(`${eventId} `, ''));
  }

  test('accepts a notification of Gastpass and prints it', async () => {
    const notification = makeNotification();
    assert.equal(await send(notification), 204);
    const [printed = '', ...more] = await printedOf(notification);
    assert.deepEqual(more, []);
    assert.deepEqual(JSON.parse(printed), JSON.parse(toGenericMessage(notification).body));
    assert.equal(await send({ ...makeNotification(), kind: 'webhook.test' }), 204);
  });

  test('accepts the same event twice and prints it once', async () => {
    const notification = makeNotification();
    assert.equal(await send(notification), 204);
    assert.equal(await send(notification, { laterMs: 2_000 }), 204);
    assert.equal((await printedOf(notification)).length, 1);
  });

  test('refuses a signature of another secret', async () => {
    const notification = makeNotification();
    assert.equal(await send(notification, { secrets: { current: makeSigningSecret() } }), 401);
    assert.deepEqual(await printedOf(notification), []);
  });

  test('accepts a signature of its secret next to a signature of another secret, in either order', async () => {
    const during = rotated(ours, Date.now());
    assert.equal(await send(makeNotification(), { secrets: during }), 204);
    const other = { secret: makeSigningSecret(), untilMs: Number.POSITIVE_INFINITY };
    assert.equal(await send(makeNotification(), { secrets: { ...ours, previous: other } }), 204);
    const neither = { current: makeSigningSecret(), previous: other };
    assert.equal(await send(makeNotification(), { secrets: neither }), 401);
  });

  test('refuses a timestamp more than five minutes in the past or in the future', async () => {
    const notification = makeNotification();
    for (const sign of [1, -1]) {
      const laterMs = sign * (TOLERANCE_MS + MARGIN_MS);
      assert.equal(await send(notification, { laterMs }), 401);
      assert.equal(await send(makeNotification(), { laterMs: sign * (TOLERANCE_MS - MARGIN_MS) }), 204);
    }
    assert.deepEqual(await printedOf(notification), []);
  });

  test('continues after a client that disconnects in the middle of a request', async () => {
    const { hostname, port } = new URL(receiver.url);
    const socket = connect(Number(port), hostname);
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"type"');
    await once(socket, 'connect');
    socket.resetAndDestroy();
    await once(socket, 'close');
    const notification = makeNotification();
    assert.equal(await send(notification), 204);
    assert.equal((await printedOf(notification)).length, 1);
  });

  test('refuses a changed request and an unsigned request', async () => {
    const notification = makeNotification();
    const { body } = toGenericMessage(notification);
    const headers = signatureHeaders({ eventId: notification.eventId, body }, ours, Date.now());
    const post = async (changed: Record<string, string>, text = body) => {
      const sent = { ...headers, 'content-type': 'application/json', ...changed };
      return (await fetch(receiver.url, { method: 'POST', headers: sent, body: text })).status;
    };
    const signature = headers['webhook-signature'] ?? '';
    const timestamp = Number(headers['webhook-timestamp']);
    assert.equal(await post({}, body.replace('"count":1', '"count":2')), 401);
    assert.equal(await post({}, `${body} `), 401);
    assert.equal(await post({}, ''), 401);
    assert.equal(await post({ 'webhook-id': `${notification.eventId}0` }), 401);
    assert.equal(await post({ 'webhook-timestamp': String(timestamp - 1) }), 401);
    assert.equal(await post({ 'webhook-timestamp': 'now' }), 401);
    assert.equal(await post({ 'webhook-signature': signature.replace('v1,', 'v2,') }), 401);
    assert.equal(await post({ 'webhook-signature': signature.slice(0, -8) }), 401);
    assert.equal(await post({ 'webhook-signature': 'v1,' }), 401);
    assert.equal((await fetch(receiver.url, { method: 'POST', body })).status, 401);
    assert.deepEqual(await printedOf(notification), []);
    assert.equal(await post({}), 204);
  });
}

interface Receiver {
  url: string;
  printed(): string;
  stop(): Promise<void>;
}

async function startReceiver(language: (typeof languages)[number], secret: string): Promise<Receiver> {
  const { folder: seen, remove } = makeFolder();
  const child: ChildProcess = spawn(language.command, [...language.words, folder + language.file], {
    env: { PATH: process.env.PATH, HOME: seen, WEBHOOK_SECRET: secret, PORT: '0', SEEN: seen },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  let [printed, said] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  // PHP's built-in server prints its port to standard error.
  const findPort = () =>
    /(?:listening on port |Server \(http:\/\/127\.0\.0\.1:)(\d+)/.exec(printed + said)?.[1];
  await until(() => findPort() !== undefined || child.exitCode !== null, { otherwise: 'it does not listen' });
  const port = findPort();
  assert.ok(port, `the receiver in ${language.name} did not start: ${said}`);
  return {
    url: `http://127.0.0.1:${port}/`,
    printed: () => printed,
    async stop() {
      end();
      await ended;
      process.off('exit', end);
      remove();
    },
  };
}

function makeNotification(): Notification {
  return {
    eventId: randomUUID(),
    kind: 'voucher.created',
    voucherCount: 1,
    siteName: 'Gästehaus "Zur Post" / Café 🎫',
    source: 'API: Empfang & Kasse',
    occurredAtMs: Date.now(),
  };
}

function webhookAt(url: string, secrets: SigningSecrets) {
  const state = { active: true, offBecause: null, failures: 0, createdAtMs: 0, name: 'x', events: [] };
  return { id: asWebhookId(1), url, format: 'generic' as const, platform: null, secrets, ...state };
}

const neverEnding = () => new AbortController().signal;
