// Tests one delivery attempt against a broken or hostile receiver: it ends with a reason, reads little of the response,
// trusts no unknown certificate, and no text of a notification can become a header.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { makeSendNotification } from '../../src/features/webhooks/channel/send-notification.ts';
import { makeSigningSecret } from '../../src/features/webhooks/signing-secret.ts';
import type { KnownWebhook } from '../../src/features/webhooks/webhook.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { oneVoucher, type Receiver, startReceiver, webhookTo } from './receiver.ts';

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.respondWith({});
});
after(() => receiver.stop());

function send(webhook: Partial<KnownWebhook> = {}, names: { siteName?: string; source?: string } = {}) {
  const sendNotification = makeSendNotification({ rule: 'any', clock: makeFakeClock(), timeoutMs: 20_000 });
  const notification = { ...oneVoucher, ...names };
  return sendNotification(webhookTo(receiver.url, webhook), notification, new AbortController().signal);
}

describe('a delivery attempt fails with a reason if', () => {
  test('the receiver resets the connection', async () => {
    receiver.respondWith({ instead: 'reset' });
    const made = await send();
    assert.partialDeepStrictEqual(made, { status: null, response: null, retryAfterMs: null });
    assert.match(made.error ?? '', /ECONNRESET|socket hang up/);
  });

  test('the receiver resets the connection in the middle of the response', async () => {
    receiver.respondWith({ status: 503, body: 'half a sen', afterwards: 'reset' });
    const made = await send();
    assert.partialDeepStrictEqual(made, { status: 503, error: 'answered 503' });
    // A reset may discard bytes that were received but not read.
    assert.ok(made.response !== null && 'half a sen'.startsWith(made.response), `${made.response}`);
  });

  test('the receiver is not running', async () => {
    const gone = await startReceiver();
    await gone.stop();
    assert.match((await send({ url: gone.url })).error ?? '', /ECONNREFUSED/);
    assert.match((await send({ url: `http://localhost:${gone.port}/` })).error ?? '', /ECONNREFUSED/);
  });

  const nonsense: [what: string, bytes: string][] = [
    ['nothing at all', ''],
    ['another protocol', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['half an answer', 'HTTP/1.1 200 O'],
    ['a header without a name', 'HTTP/1.1 200 OK\r\n: x\r\n\r\n'],
    ['a status that is none', 'HTTP/1.1 2000 OK\r\n\r\n'],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
    ['only that it will go on', 'HTTP/1.1 100 Continue\r\n\r\n'],
    ['another protocol by name', 'HTTP/1.1 101 Switching\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'],
    ['endless headers', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(100_000)}\r\n\r\n`],
  ];
  for (const [what, bytes] of nonsense)
    test(`the receiver sends ${what}`, { timeout: 30_000 }, async () => {
      receiver.respondWith({ instead: { bytes } });
      const made = await send();
      assert.partialDeepStrictEqual(made, { status: null, response: null });
      assert.ok(made.error && made.error.length < 300, made.error ?? '');
    });

  test('the receiver speaks no TLS although the URL begins with https', async () => {
    const made = await send({ url: receiver.url.replace('http:', 'https:') });
    assert.equal(made.status, null);
    assert.match(made.error ?? '', /SSL|TLS|EPROTO|socket|ECONNRESET/i);
    assert.deepEqual(receiver.requests, []);
  });
});

test('a certificate of an unknown authority is refused before anything is sent', async (t) => {
  const secure = await startReceiver({ tls: true });
  t.after(() => secure.stop());
  const url = `https://localhost:${secure.port}/`;
  const made = await send({ url });
  assert.equal(made.status, null);
  assert.match(made.error ?? '', /self-signed certificate/);
  assert.deepEqual(secure.requests, []);

  const trusted = getCACertificates('default');
  t.after(() => setDefaultCACertificates(trusted));
  setDefaultCACertificates([...trusted, secure.certificate ?? '']);
  assert.partialDeepStrictEqual(await send({ url }), { status: 204, error: null });
  // The certificate is issued for localhost, not for an IP address.
  assert.match((await send({ url: secure.url })).error ?? '', /does not match certificate/);
  assert.equal(secure.requests.length, 1);
});

describe('the response of a receiver', () => {
  test('the first five hundred characters of a response are recorded, none of them split', async () => {
    for (const body of ['x'.repeat(501), '🎫'.repeat(400), `x${'🎫'.repeat(5_000)}`]) {
      receiver.respondWith({ status: 500, body });
      const { response } = await send();
      assert.equal(response, [...body].slice(0, 500).join(''));
    }
  });

  test('an endless response is read only at its beginning', async () => {
    receiver.respondWith({ status: 500, body: 'ends never ', afterwards: 'flood' });
    const made = await send();
    assert.partialDeepStrictEqual(made, { status: 500, error: 'answered 500' });
    assert.equal(made.response?.length, 500);
    // Only what fits into the network buffers, far less than what twenty seconds would send.
    const sent = receiver.sentBytes();
    assert.ok(sent < 64 * 1024 * 1024, `${sent} bytes`);
  });

  test('a response may contain bytes that are not text', async () => {
    receiver.respondWith({
      instead: { bytes: 'HTTP/1.1 500 X\r\ncontent-length: 4\r\n\r\n\u0000\u0001\u001b[' },
    });
    assert.partialDeepStrictEqual(await send(), { status: 500, error: 'answered 500' });
  });
});

describe('no header can be injected', () => {
  const wicked = 'A\r\nX-Evil: yes\r\n\r\nPOST /admin HTTP/1.1\r\nHost: x\r\n\r\n';
  const targets: [string, Partial<KnownWebhook>][] = [
    ['a chat', {}],
    ['ntfy', { platform: 'ntfy' }],
    ['Teams', { platform: 'teams' }],
    ['a generic target', { format: 'generic', secrets: { current: makeSigningSecret() } }],
  ];
  for (const [what, webhook] of targets)
    test(`by a name in a notification to ${what}`, async () => {
      await send(webhook);
      await send(webhook, { siteName: wicked, source: wicked });
      const [plain, evil] = receiver.requests;
      assert.equal(receiver.requests.length, 2);
      assert.deepEqual(Object.keys(evil?.headers ?? {}), Object.keys(plain?.headers ?? {}));
      assert.equal(evil?.headers['content-length'], String(Buffer.byteLength(evil?.body ?? '')));
      assert.doesNotMatch(evil?.body ?? '', /[\r\n]/);
    });

  test('by a line break in the URL', async () => {
    await send({ url: `http://a%0d%0aX-Evil:%20b%0d%0a@127.0.0.1:${receiver.port}/%0d%0aX-Evil:%20c` });
    assert.deepEqual(
      receiver.requests.map(({ headers }) => headers['x-evil']),
      [undefined],
    );
  });
});
