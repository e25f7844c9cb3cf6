// Tests one delivery attempt against a real receiver: what is sent, what counts as delivered, and what is reported when
// the receiver redirects, refuses, does not respond or breaks off.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { makeSendNotification } from '../../src/features/webhooks/channel/send-notification.ts';
import { makeSigningSecret } from '../../src/features/webhooks/signing-secret.ts';
import type { KnownWebhook } from '../../src/features/webhooks/webhook.ts';
import { makeFakeClock } from '../support/fake-clock.ts';
import { oneVoucher, type Receiver, startReceiver, webhookTo } from './receiver.ts';

const clock = makeFakeClock();
const LONG_MS = 20_000;
/** For receivers that never respond. */
const SHORT_MS = 200;
/** For receivers whose response begins, on a busy machine with a delay, and never ends. */
const RESPONSE_BEGINS_WITHIN_MS = 1_000;
/** Fails a test that would otherwise wait forever. */
const soon = { timeout: 30_000 };

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
beforeEach(() => {
  receiver.requests.length = 0;
  receiver.respondWith({});
});
after(() => receiver.stop());

function send(
  webhook: Partial<KnownWebhook> = {},
  { timeoutMs = LONG_MS, signal = new AbortController().signal } = {},
) {
  const sendNotification = makeSendNotification({ rule: 'any', clock, timeoutMs });
  return sendNotification(webhookTo(receiver.url, webhook), oneVoucher, signal);
}

const delivered = { result: 'done', error: null, response: null };

describe('the request of a delivery attempt', () => {
  test('a chat gets one POST request with the message, its content type and its length', async () => {
    assert.partialDeepStrictEqual(await send(), { status: 204, ...delivered });
    const { method, path, headers, body } = receiver.requests[0] ?? assert.fail();
    assert.deepEqual([method, path], ['POST', '/']);
    assert.deepEqual(JSON.parse(body), { text: '🎫 Ein Voucher für "Haus A" von API: Theke erstellt.' });
    assert.deepEqual(headers, {
      host: `127.0.0.1:${receiver.port}`,
      'user-agent': 'gastpass',
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      connection: 'close',
    });
  });

  test('ntfy gets plain text', async () => {
    await send({ platform: 'ntfy' });
    const { headers, body } = receiver.requests[0] ?? assert.fail();
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.equal(body, '🎫 Ein Voucher für "Haus A" von API: Theke erstellt.');
  });

  test('a generic target gets a body that is signed with the time of sending', async () => {
    await send({ format: 'generic', secrets: { current: makeSigningSecret() } });
    const { headers, body } = receiver.requests[0] ?? assert.fail();
    assert.equal(headers['webhook-id'], oneVoucher.eventId);
    assert.equal(headers['webhook-timestamp'], String(clock.nowMs() / 1000));
    assert.match(String(headers['webhook-signature']), /^v1,[A-Za-z0-9+/]{43}=$/);
    assert.equal(JSON.parse(body).type, 'voucher.created');
  });

  test('the path and the query of the URL are sent unchanged', async () => {
    await send({ url: `${receiver.url}v1/spaces/A%2FB?key=a+b&token=%C3%BC#fragment` });
    assert.equal(receiver.requests[0]?.path, '/v1/spaces/A%2FB?key=a+b&token=%C3%BC');
  });

  test('each delivery attempt uses a new connection, which is closed afterwards', async () => {
    const before = receiver.connections();
    await send();
    await send();
    assert.equal(receiver.connections() - before, 2);
  });
});

describe('these responses count as delivered:', () => {
  for (const status of [200, 201, 202, 204, 299])
    test(`${status}`, async () => {
      receiver.respondWith({ status });
      assert.partialDeepStrictEqual(await send(), { status, ...delivered });
    });

  test('200 with a body that is cut off or never ends; the connection is closed', soon, async () => {
    for (const then of ['reset', 'flood', 'hang', 'drip'] as const) {
      receiver.respondWith({ status: 200, body: 'o', afterwards: then });
      assert.partialDeepStrictEqual(await send(), { status: 200, ...delivered }, then);
      await receiver.untilAlone();
    }
  });
});

test('a chat is called again after a second, a program at once', async () => {
  assert.partialDeepStrictEqual(await send(), { result: 'done', pauseMs: 1_000 });
  const program = { format: 'generic', secrets: { current: 'whsec_R0VIRUlN' } } as const;
  assert.partialDeepStrictEqual(await send(program), { result: 'done', pauseMs: 0 });
});

describe('these responses count as failed:', () => {
  for (const status of [400, 401, 403, 404, 409, 410, 429, 500, 502, 503])
    test(`${status}, recorded with its body`, async () => {
      receiver.respondWith({ status, body: 'no_service' });
      assert.partialDeepStrictEqual(await send(), {
        status,
        error: `answered ${status}`,
        response: 'no_service',
        ...(status === 410
          ? { result: 'never', offBecause: 'the target said that it is gone for good (410)' }
          : { result: 'later', pauses: 'recipient', retryAfterMs: null }),
      });
    });

  for (const status of [301, 302, 303, 307, 308])
    test(`${status}: a redirect is reported and never followed`, async (t) => {
      const elsewhere = await startReceiver();
      t.after(() => elsewhere.stop());
      receiver.respondWith({ status, headers: { location: elsewhere.url } });
      const made = await send();
      assert.partialDeepStrictEqual(made, {
        status,
        error: `answered ${status}: redirects are not followed`,
      });
      assert.deepEqual([elsewhere.connections(), receiver.requests.length], [0, 1]);
    });
});

describe('the pause is read from the header Retry-After:', () => {
  const inAMinute = new Date(clock.nowMs() + 60_000).toUTCString();
  const cases: [header: string, ms: number | null][] = [
    ['120', 120_000],
    ['0', 0],
    [inAMinute, 60_000],
    [new Date(clock.nowMs() - 60_000).toUTCString(), 0],
    ['soon', null],
    ['', null],
    ['99999999999999999999', null],
  ];
  for (const [header, retryAfterMs] of cases)
    test(`"${header}"`, async () => {
      receiver.respondWith({ status: 429, headers: { 'retry-after': header } });
      assert.partialDeepStrictEqual(await send(), { status: 429, retryAfterMs });
    });
});

describe('a delivery attempt ends in time', () => {
  test('when there is no response', async () => {
    receiver.respondWith({ instead: 'hang' });
    assert.partialDeepStrictEqual(await send({}, { timeoutMs: SHORT_MS }), {
      status: null,
      error: 'no answer within 0.2 s',
      response: null,
      retryAfterMs: null,
    });
  });

  test('when the body of the response stops or drips, and the received part is recorded', async () => {
    for (const then of ['hang', 'drip'] as const) {
      receiver.respondWith({
        status: 500,
        body: 'broken',
        headers: { 'retry-after': '7' },
        afterwards: then,
      });
      const made = await send({}, { timeoutMs: RESPONSE_BEGINS_WITHIN_MS });
      assert.partialDeepStrictEqual(made, { status: 500, error: 'answered 500', retryAfterMs: 7_000 });
      assert.match(made.response ?? '', /^broken\.*$/);
    }
  });

  test('when it is aborted', async () => {
    receiver.respondWith({ instead: 'hang' });
    const stop = new AbortController();
    const made = send({}, { signal: stop.signal });
    await receiver.untilReceived(1);
    stop.abort();
    assert.partialDeepStrictEqual(await made, { status: null, error: 'The operation was aborted' });
    const late = await send({}, { signal: AbortSignal.abort() });
    assert.partialDeepStrictEqual(late, { status: null, error: 'The operation was aborted' });
    assert.equal(receiver.requests.length, 1);
  });
});
