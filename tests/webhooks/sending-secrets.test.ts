// Tests that secrets do not leak: the password in a URL is sent only as Basic auth; passwords, the path of the URL and
// signing secrets are masked in errors and in responses of receivers.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { makeSendNotification } from '../../src/features/webhooks/channel/send-notification.ts';
import { makeSigningSecret, rotated } from '../../src/features/webhooks/signing-secret.ts';
import type { KnownWebhook } from '../../src/features/webhooks/webhook.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { oneVoucher, type Receiver, startReceiver, webhookTo } from './receiver.ts';

const clock = makeFakeClock();
const former = makeSigningSecret();
const secrets = rotated({ current: former }, clock.nowMs());

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
});
after(() => receiver.stop());

function send(webhook: Partial<KnownWebhook>) {
  const sendNotification = makeSendNotification({ rule: 'any', clock, timeoutMs: 20_000 });
  return sendNotification(webhookTo(receiver.url, webhook), oneVoucher, new AbortController().signal);
}

const secretUrl = () =>
  `http://ada-geheim:p%40ss%2Fgeheim@127.0.0.1:${receiver.port}/services/T0GEHEIM/Bgeheim1234?key=geheim-key&token=x%20geheim`;

test('the user and password in a URL are sent as Basic auth, and in no other header', async () => {
  receiver.respondWith({});
  assert.equal((await send({ url: secretUrl() })).status, 204);
  const { headers, path } = receiver.requests[0] ?? assert.fail();
  const basic = Buffer.from('ada-geheim:p@ss/geheim').toString('base64');
  assert.equal(headers.authorization, `Basic ${basic}`);
  assert.equal(headers.host, `127.0.0.1:${receiver.port}`);
  assert.equal(path, '/services/T0GEHEIM/Bgeheim1234?key=geheim-key&token=x%20geheim');
});

describe('an error message contains no secret', () => {
  const places: [what: string, url: () => string, error: RegExp][] = [
    ['nobody listens', () => secretUrl().replace(`:${receiver.port}`, ':1'), /ECONNREFUSED|ECONNRESET/],
    ['the address is forbidden', () => secretUrl().replace('127.0.0.1', '169.254.169.254'), /never called/],
    ['it speaks no TLS', () => secretUrl().replace('http:', 'https:'), /./],
    ['the name cannot be', () => secretUrl().replace('127.0.0.1', 'nobody.invalid'), /nobody\.invalid/],
    ['the password cannot be decoded', () => secretUrl().replace('%40', '%ff'), /URI malformed/],
    ['the address cannot be read', () => secretUrl().replace('127.0.0.1', '300.300.300.300'), /Invalid URL/],
  ];
  for (const [what, url, error] of places)
    test(`when ${what}`, async () => {
      const made = await send({ url: url() });
      assert.equal(made.status, null);
      assert.match(made.error ?? '', error);
      assert.doesNotMatch(made.error ?? '', /geheim/i);
    });
});

describe('a secret that a receiver repeats is masked', () => {
  const basic = Buffer.from('ada-geheim:p@ss/geheim').toString('base64');
  const bare = (secret: string) => secret.replace('whsec_', '');
  const sayings: [what: string, say: () => string][] = [
    ['the whole address', () => `no route for ${secretUrl()}`],
    ['the address as JSON writes it', () => JSON.stringify({ url: secretUrl() }).replaceAll('/', '\\/')],
    ['path and query', () => 'Cannot POST /services/T0GEHEIM/Bgeheim1234?key=geheim-key&token=x%20geheim'],
    ['a value of the query, decoded', () => 'what is <x geheim>?'],
    ['the last part of the path', () => 'invalid_token Bgeheim1234.'],
    ['the password, decoded', () => 'wrong password for ada-geheim: p@ss/geheim'],
    ['the header', () => JSON.stringify({ headers: { Authorization: `Basic ${basic}` } })],
    ['the signing secret', () => `expected ${secrets.current}`],
    ['the signing secret without its beginning', () => `expected ${bare(secrets.current)}`],
    ['the secret before', () => `expected ${former} or ${bare(former)}`],
  ];
  const hidden = [/geheim/i, basic, bare(secrets.current), bare(former)];
  for (const [what, say] of sayings)
    test(what, async () => {
      receiver.respondWith({ status: 403, body: say() });
      const { response } = await send({ url: secretUrl(), format: 'generic', secrets });
      assert.match(response ?? '', /\*\*\*/);
      for (const secret of hidden)
        assert.ok(
          typeof secret === 'string' ? !response?.includes(secret) : !secret.test(response ?? ''),
          `${response}`,
        );
    });

  test('also if the response is cut in the middle of the secret', async () => {
    const token = 'Bgeheim1234';
    for (let shown = 1; shown <= token.length; shown++) {
      const body = `${'.'.repeat(500 - shown)}${token}${secretUrl()}`;
      receiver.respondWith({ status: 403, body });
      const { response } = await send({ url: secretUrl() });
      assert.doesNotMatch(response ?? '', /Bgehei/, `${shown} characters of the token`);
      assert.match(response ?? '', /^\.{480}/);
    }
  });

  test('the rest of the response stays unchanged', async () => {
    receiver.respondWith({ status: 404, body: '{"message": "Unknown Webhook", "code": 10015}' });
    const { response } = await send({ url: secretUrl() });
    assert.equal(response, '{"message": "Unknown Webhook", "code": 10015}');
  });
});
