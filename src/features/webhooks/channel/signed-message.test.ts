// Tests signed messages: the signature equals that of the reference library, both secrets verify during a rotation,
// and any change is refused. A message never contains a voucher code.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { Webhook } from 'standardwebhooks';
import { asGuestRequestId, asSiteId, asWebhookId } from '../../../kernel/ids.ts';
import type { Notification } from '../notification.ts';
import { makeSigningSecret, OVERLAP_MS, rotated } from '../signing-secret.ts';
import { signatureHeaders, toGenericMessage } from './signed-message.ts';

const nowMs = Date.now();
const eventId = '2f6d8a52-1d0c-4c0e-9a54-0d6a5d1b7c11';
const one: Notification = {
  eventId,
  kind: 'voucher.created',
  voucherCount: 1,
  siteName: 'Müller & Söhne',
  source: 'API: Theke',
  occurredAtMs: Date.parse('2026-01-15T11:28:51.123Z'),
};

describe('the body', () => {
  const cases: [what: string, Notification, body: string][] = [
    [
      'of one voucher',
      one,
      '{"type":"voucher.created","timestamp":"2026-01-15T11:28:51.123Z","data":{"count":1,"site":"Müller & Söhne","source":"API: Theke"}}',
    ],
    [
      'of several',
      { ...one, voucherCount: 25, source: 'Web: Ada' },
      '{"type":"voucher.created","timestamp":"2026-01-15T11:28:51.123Z","data":{"count":25,"site":"Müller & Söhne","source":"Web: Ada"}}',
    ],
    [
      'of a test',
      { ...one, kind: 'webhook.test', voucherCount: 0, siteName: '', source: '' },
      '{"type":"webhook.test","timestamp":"2026-01-15T11:28:51.123Z","data":{}}',
    ],
    [
      'of an unreachable site',
      { ...one, kind: 'site.unreachable', siteId: asSiteId(3), sinceMs: 0, cause: 'nobody-answers' },
      '{"type":"site.unreachable","timestamp":"2026-01-15T11:28:51.123Z","data":{"site":"Müller & Söhne","site_id":3,"since":"1970-01-01T00:00:00.000Z","cause":"nobody-answers"}}',
    ],
    [
      'of a site with a cause that was renamed',
      { ...one, kind: 'site.unreachable', siteId: asSiteId(3), sinceMs: 0, cause: 'not-controller' },
      '{"type":"site.unreachable","timestamp":"2026-01-15T11:28:51.123Z","data":{"site":"Müller & Söhne","site_id":3,"since":"1970-01-01T00:00:00.000Z","cause":"not-unifi"}}',
    ],
    [
      'of a recovered site',
      { ...one, kind: 'site.recovered', siteId: asSiteId(3), sinceMs: 0 },
      '{"type":"site.recovered","timestamp":"2026-01-15T11:28:51.123Z","data":{"site":"Müller & Söhne","site_id":3,"since":"1970-01-01T00:00:00.000Z"}}',
    ],
    [
      'of a changed certificate',
      { ...one, kind: 'certificate.changed', siteId: asSiteId(3), sinceMs: 0 },
      '{"type":"certificate.changed","timestamp":"2026-01-15T11:28:51.123Z","data":{"site":"Müller & Söhne","site_id":3,"since":"1970-01-01T00:00:00.000Z"}}',
    ],
    [
      'of a failing webhook',
      {
        ...one,
        kind: 'webhook.failing',
        webhookId: asWebhookId(2),
        webhookName: 'Kasse',
        failures: 5,
        isOff: false,
      },
      '{"type":"webhook.failing","timestamp":"2026-01-15T11:28:51.123Z","data":{"webhook":"Kasse","webhook_id":2,"failures":5,"switched_off":false}}',
    ],
    [
      'of a request of a guest',
      {
        ...one,
        kind: 'request.created',
        siteId: asSiteId(1),
        requestId: asGuestRequestId(7),
        waiting: 3,
      },
      '{"type":"request.created","timestamp":"2026-01-15T11:28:51.123Z","data":{"site":"Müller & Söhne","site_id":1,"request_id":7,"waiting":3}}',
    ],
  ];
  for (const [what, notification, body] of cases)
    test(what, () =>
      assert.deepEqual(toGenericMessage(notification), { contentType: 'application/json', body }),
    );

  test('contains no voucher code, even if the notification has one', () => {
    const careless = {
      ...one,
      code: '1234567890',
      formattedCode: '12345-67890',
      data: { code: '1234567890' },
    };
    assert.deepEqual(toGenericMessage(careless), toGenericMessage(one));
  });

  test('contains names unchanged, whatever their characters', () => {
    for (const name of ['@everyone', '"}],"x":{', 'a\r\nb\u2028', '🎫', '\ud800', 'x'.repeat(10_000)]) {
      const { body } = toGenericMessage({ ...one, siteName: name, source: name });
      assert.deepEqual(JSON.parse(body).data, { count: 1, site: name, source: name });
      assert.doesNotMatch(body, /[\r\n]/);
    }
  });
});

describe('the signature', () => {
  const { body } = toGenericMessage(one);
  const sign = (secrets: Parameters<typeof signatureHeaders>[1], atMs = nowMs) =>
    signatureHeaders({ eventId, body }, secrets, atMs);

  test('equals the signature of the reference library, byte for byte', () => {
    for (let times = 0; times < 50; times++) {
      const current = makeSigningSecret();
      const names = { siteName: `Süd ${times} 🎫\u2028`, source: `API: ${'ß'.repeat(times)}` };
      const message = toGenericMessage({ ...one, ...names });
      const atMs = nowMs + times * 1_234;
      assert.deepEqual(signatureHeaders({ eventId, body: message.body }, { current }, atMs), {
        'webhook-id': eventId,
        'webhook-timestamp': String(Math.floor(atMs / 1000)),
        'webhook-signature': new Webhook(current).sign(eventId, new Date(atMs), message.body),
      });
    }
  });

  test('is accepted by the reference library', () => {
    const current = makeSigningSecret();
    assert.deepEqual(new Webhook(current).verify(body, sign({ current })), JSON.parse(body));
  });

  test('is refused if anything was changed', () => {
    const current = makeSigningSecret();
    const headers = sign({ current });
    const later = String(Number(headers['webhook-timestamp']) + 1);
    const receiver = new Webhook(current);
    const refused = /No matching signature found/;
    assert.throws(() => receiver.verify(body.replace('"count":1', '"count":2'), headers), refused);
    assert.throws(() => receiver.verify(`${body} `, headers), refused);
    assert.throws(() => receiver.verify(body, { ...headers, 'webhook-id': 'another' }), refused);
    assert.throws(() => receiver.verify(body, { ...headers, 'webhook-timestamp': later }), refused);
    assert.throws(() => new Webhook(makeSigningSecret()).verify(body, headers), refused);
  });

  test('is refused if it is old, so each delivery attempt is signed with its own time', () => {
    const current = makeSigningSecret();
    assert.throws(() => new Webhook(current).verify(body, sign({ current }, nowMs - 10 * 60_000)), /too old/);
  });

  test('is valid for the old and the new secret until the rotation ends', () => {
    const before = makeSigningSecret();
    const secrets = rotated({ current: before }, Date.now() - OVERLAP_MS + 60_000);
    const both = sign(secrets);
    assert.match(both['webhook-signature'] ?? '', /^v1,\S{44} v1,\S{44}$/);
    for (const secret of [secrets.current, before])
      assert.deepEqual(new Webhook(secret).verify(body, both), JSON.parse(body));
    assert.throws(() => new Webhook(makeSigningSecret()).verify(body, both));

    const { untilMs } = secrets.previous ?? assert.fail();
    assert.match(sign(secrets, untilMs - 1)['webhook-signature'] ?? '', / /);
    assert.doesNotMatch(sign(secrets, untilMs)['webhook-signature'] ?? '', / /);
    const after = sign(secrets, untilMs);
    const reference = new Webhook(secrets.current).sign(eventId, new Date(untilMs), body);
    assert.equal(after['webhook-signature'], reference);
  });

  test('does not contain the secret', () => {
    const current = makeSigningSecret();
    assert.ok(!JSON.stringify(sign({ current })).includes(current.replace('whsec_', '')));
  });
});
