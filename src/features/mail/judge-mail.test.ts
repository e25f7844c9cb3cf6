// Tests what System health says about e-mail.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeMail, type MailFacts } from './judge-mail.ts';

const NOTHING: MailFacts = {
  server: undefined,
  stored: undefined,
  failures: 0,
  lastError: null,
  backlog: { count: 0, oldestMs: 0 },
  unread: 0,
};
const WORKS: MailFacts = {
  ...NOTHING,
  server: { host: 'mail.example.org', port: 587, result: { ok: true, response: '' } },
};
const STORED = {
  host: 'mail.example.org',
  port: 587,
  tls: 'required' as const,
  from: { address: 'wifi@example.org' },
  perHour: null,
};
const kinds = (facts: MailFacts) => judgeMail(facts).map(({ state, fact }) => `${state} ${fact.kind}`);

test('nothing is said if e-mail is not set up', () => {
  assert.deepEqual(kinds(NOTHING), []);
});

test('a server that does not work is a fault, and one that cannot be used is, too', () => {
  assert.deepEqual(kinds(WORKS), ['ok mail-ok']);
  const result = { ok: false, advice: 'refused', text: 'connection refused' } as const;
  const failing = { host: 'mail.example.org', port: 587, result };
  assert.deepEqual(kinds({ ...WORKS, server: failing, failures: 3 }), ['fault mail-failing']);
  assert.deepEqual(kinds({ ...NOTHING, stored: { ...STORED, tls: 'unknown' } }), ['fault mail-not-known']);
  const credentials = { username: 'wifi', password: null };
  assert.deepEqual(kinds({ ...NOTHING, stored: { ...STORED, credentials } }), ['fault mail-unreadable']);
});

test('a pause, mails that wait for more than an hour, and failed mails are warnings', () => {
  const hour = 60 * 60_000;
  assert.deepEqual(kinds({ ...WORKS, backlog: { count: 1, oldestMs: hour } }), ['ok mail-ok']);
  assert.deepEqual(kinds({ ...WORKS, failures: 2, backlog: { count: 1, oldestMs: hour + 1 }, unread: 4 }), [
    'ok mail-ok',
    'warning mail-paused',
    'warning mails-late',
    'warning mails-failed',
  ]);
});
