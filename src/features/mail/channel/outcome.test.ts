// Tests what the result of sending a mail means for the queue.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SmtpFailure, SmtpPhase } from '../smtp.ts';
import { toOutcome } from './outcome.ts';

const outcomeOf = (phase: SmtpPhase, status: number | null): string => {
  const failed: SmtpFailure = { ok: false, phase, status, text: 'no', isFinal: (status ?? 0) >= 500 };
  const outcome = toOutcome(failed, 5);
  if (outcome.result !== 'later') return outcome.result;
  return outcome.isFaultOfRecipient ? `${outcome.pauses} waits, not counted` : `${outcome.pauses} waits`;
};

test('a failure before the recipient is named concerns all mails, and any later one only its mail', () => {
  for (const phase of ['connect', 'tls', 'login', 'sender'] as const)
    for (const status of [null, 421, 550])
      assert.equal(outcomeOf(phase, status), 'recipient waits, not counted');
  for (const phase of ['recipient', 'content'] as const)
    assert.deepEqual(
      [null, 451, 550].map((status) => outcomeOf(phase, status)),
      ['message waits', 'message waits', 'never'],
    );
});

test('a server that asks for a login or for encryption late refuses every mail', () => {
  for (const phase of ['recipient', 'content'] as const)
    assert.equal(outcomeOf(phase, 530), 'recipient waits, not counted');
});

test('the log shows the phase and the words of the server', () => {
  const failed = {
    ok: false,
    phase: 'recipient',
    status: 550,
    text: '550 5.1.1 unknown',
    isFinal: true,
  } as const;
  assert.deepEqual(toOutcome(failed, 5), {
    result: 'never',
    durationMs: 5,
    status: 550,
    error: 'recipient: 550 5.1.1 unknown',
    response: null,
  });
  assert.deepEqual(toOutcome({ ok: true, response: '250 2.0.0 queued as 4F' }, 5), {
    result: 'done',
    durationMs: 5,
    status: 250,
    error: null,
    response: null,
  });
});
