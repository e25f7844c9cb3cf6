// Tests the sentence that chats show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asGuestRequestId, asSiteId, asWebhookId } from '../../../kernel/ids.ts';
import type { Notification } from '../notification.ts';
import { toSentence } from './sentence.ts';

const one: Notification = {
  eventId: '2f6d8a52-1d0c-4c0e-9a54-0d6a5d1b7c11',
  kind: 'voucher.created',
  voucherCount: 1,
  siteName: 'Haus A',
  source: 'API: Theke',
  occurredAtMs: 0,
};

test('one voucher is written as a word, several as a number', () => {
  assert.equal(toSentence(one), '🎫 Ein Voucher für "Haus A" von API: Theke erstellt.');
  assert.equal(
    toSentence({ ...one, voucherCount: 2, source: 'Web: Ada' }),
    '🎫 2 Voucher für "Haus A" von Web: Ada erstellt.',
  );
  assert.equal(
    toSentence({ ...one, voucherCount: 1_000 }),
    '🎫 1000 Voucher für "Haus A" von API: Theke erstellt.',
  );
});

test('a test message contains no names', () => {
  assert.equal(toSentence({ ...one, kind: 'webhook.test' }), '🎫 Testnachricht von Gastpass.');
});

test('a request of a guest is reported without what the guest has typed', () => {
  const asked = { siteId: asSiteId(1), requestId: asGuestRequestId(7), waiting: 1 };
  const notification = { ...one, kind: 'request.created', ...asked } as const;
  assert.equal(
    toSentence(notification),
    '🙋 Ein Gast bittet um einen Voucher für "Haus A". Bitte in Gastpass entscheiden.',
  );
  assert.equal(
    toSentence({ ...notification, waiting: 3 }),
    '🙋 Ein Gast bittet um einen Voucher für "Haus A" (3 warten). Bitte in Gastpass entscheiden.',
  );
});

test('failures are described, with how long they have lasted', () => {
  const occurrence = { ...one, occurredAtMs: 6 * 60_000 };
  const site = { ...occurrence, siteId: asSiteId(1), sinceMs: 0 };
  const unreachable = { ...site, kind: 'site.unreachable' } as const;
  const webhook = { webhookId: asWebhookId(2), webhookName: 'Kasse', failures: 5 };
  const failing = { ...occurrence, kind: 'webhook.failing', ...webhook } as const;
  const sentences: [Notification, string][] = [
    [
      { ...unreachable, cause: 'nobody-answers' },
      '🔴 Der Controller von "Haus A" ist seit 6 Minuten nicht erreichbar.',
    ],
    [
      { ...unreachable, cause: 'api-key', occurredAtMs: 0 },
      '🔴 Der Controller von "Haus A" lehnt seit einer Minute die Anmeldung ab.',
    ],
    [
      { ...unreachable, cause: null, occurredAtMs: 26 * 3_600_000 },
      '🔴 Der Controller von "Haus A" antwortet seit 26 Stunden nicht wie erwartet.',
    ],
    [
      { ...site, kind: 'site.recovered' },
      '🟢 Der Controller von "Haus A" funktioniert wieder, nach 6 Minuten.',
    ],
    [
      { ...site, kind: 'certificate.changed' },
      '🔴 Der Controller von "Haus A" zeigt ein anderes Zertifikat. Bitte in Gastpass prüfen.',
    ],
    [
      { ...failing, isOff: false },
      '🔴 Nachrichten an den Webhook "Kasse" kommen nicht an (5 Fehlversuche in Folge).',
    ],
    [{ ...failing, isOff: true }, '🔴 Der Webhook "Kasse" ist ausgeschaltet: Sein Ziel gibt es nicht mehr.'],
  ];
  for (const [notification, sentence] of sentences) assert.equal(toSentence(notification), sentence);
});
