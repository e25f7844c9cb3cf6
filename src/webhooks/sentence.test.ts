// Tests the sentence that chats show.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Notification } from '../domain/webhooks/notification.ts';
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
