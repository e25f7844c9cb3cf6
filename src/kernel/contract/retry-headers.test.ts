// Tests what each problem says about repeating the request. A new kind of problem without a row does not compile.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ControllerFailure, FailureCause } from '../controllers/controller.ts';
import { type HttpProblem, type Retry, retryHeaders, retryOf } from './problem-response.ts';

type Kind = HttpProblem['kind'];
type Row<K extends Kind> = [Extract<HttpProblem, { kind: K }>, Retry, cause?: string];

const failedCall = (failure: ControllerFailure['kind'], cause?: FailureCause) => ({
  failure,
  text: 'x',
  ...(cause && { cause }),
});

const OUTDATED = { what: 'order', value: 'nights', since: '0.3.0', instance: 'a', release: '0.2.0' } as const;

const rows: { [K in Kind]: Row<K>[] } = {
  unauthorized: [[{ kind: 'unauthorized', keyWasSent: true }, 'no']],
  'scope-missing': [[{ kind: 'scope-missing', scope: 'write' }, 'no']],
  'rate-limited': [[{ kind: 'rate-limited', secondsLeft: 1 }, 'yes']],
  'method-not-allowed': [[{ kind: 'method-not-allowed', allowed: ['GET'] }, 'no']],
  'path-unknown': [[{ kind: 'path-unknown' }, 'no']],
  unreadable: [[{ kind: 'unreadable' }, 'no']],
  'body-too-large': [[{ kind: 'body-too-large' }, 'no']],
  'body-too-slow': [[{ kind: 'body-too-slow' }, 'yes']],
  'site-id-missing': [[{ kind: 'site-id-missing' }, 'no']],
  'name-missing': [[{ kind: 'name-missing' }, 'no']],
  'name-too-long': [[{ kind: 'name-too-long', maxCharacters: 1 }, 'no']],
  'name-not-plain': [[{ kind: 'name-not-plain' }, 'no']],
  'out-of-bounds': [[{ kind: 'out-of-bounds', field: 'up', max: 1 }, 'no']],
  'idempotency-key-malformed': [[{ kind: 'idempotency-key-malformed' }, 'no']],
  'idempotency-key-reused': [[{ kind: 'idempotency-key-reused' }, 'no']],
  'idempotency-key-ended': [[{ kind: 'idempotency-key-ended' }, 'no']],
  'idempotency-in-progress': [[{ kind: 'idempotency-in-progress', retryAfterS: 1 }, 'after-settling']],
  'site-not-found': [[{ kind: 'site-not-found' }, 'no']],
  'voucher-not-found': [[{ kind: 'voucher-not-found' }, 'no']],
  'end-passed': [[{ kind: 'end-passed' }, 'no']],
  'guest-email-malformed': [[{ kind: 'guest-email-malformed' }, 'no']],
  'guest-language-malformed': [[{ kind: 'guest-language-malformed' }, 'no']],
  'guest-print-malformed': [[{ kind: 'guest-print-malformed' }, 'no']],
  'mail-not-set-up': [[{ kind: 'mail-not-set-up' }, 'no']],
  'printer-unknown': [[{ kind: 'printer-unknown' }, 'no']],
  'too-many-mails': [[{ kind: 'too-many-mails', retryAfterS: 60 }, 'yes']],
  'too-many-slips': [[{ kind: 'too-many-slips', retryAfterS: 60 }, 'yes']],
  'screen-limit': [[{ kind: 'screen-limit', retryAfterS: 1 }, 'yes']],
  'screen-gone': [[{ kind: 'screen-gone' }, 'no']],
  'request-decided': [[{ kind: 'request-decided' }, 'no']],
  'instance-outdated': [[{ kind: 'instance-outdated', outdated: OUTDATED }, 'yes']],
  'no-valid-voucher': [[{ kind: 'no-valid-voucher' }, 'after-settling', 'no-voucher']],
  'controller-busy': [
    [{ kind: 'controller-busy', retryAfterS: 1 }, 'yes', 'busy'],
    [{ kind: 'controller-busy', retryAfterS: 1, cause: 'asks-for-pause' }, 'yes', 'asks-for-pause'],
  ],
  'revocation-busy': [
    [{ kind: 'revocation-busy', retryAfterS: 1 }, 'yes', 'busy'],
    [{ kind: 'revocation-busy', retryAfterS: 1, cause: 'asks-for-pause' }, 'yes', 'asks-for-pause'],
  ],
  'creation-failed': [
    [{ kind: 'creation-failed', ...failedCall('refused', 'login') }, 'no', 'login'],
    [{ kind: 'creation-failed', ...failedCall('refused', 'api-missing') }, 'no', 'no-integration-api'],
    [{ kind: 'creation-failed', ...failedCall('unreachable', 'away') }, 'yes', 'away'],
    [{ kind: 'creation-failed', ...failedCall('unreachable') }, 'yes'],
    [
      { kind: 'creation-failed', ...failedCall('unreachable', 'other-certificate') },
      'no',
      'other-certificate',
    ],
    [{ kind: 'creation-failed', ...failedCall('outcome-unknown', 'too-slow') }, 'after-settling', 'too-slow'],
    [
      { kind: 'creation-failed', ...failedCall('outcome-unknown', 'other-certificate') },
      'after-settling',
      'other-certificate',
    ],
  ],
  'revocation-failed': [
    [{ kind: 'revocation-failed', ...failedCall('refused', 'role') }, 'no', 'role'],
    [
      { kind: 'revocation-failed', ...failedCall('unreachable', 'unvouched-certificate') },
      'no',
      'unvouched-certificate',
    ],
    [{ kind: 'revocation-failed', ...failedCall('unreachable', 'away') }, 'yes', 'away'],
    [{ kind: 'revocation-failed', ...failedCall('outcome-unknown', 'broke-off') }, 'yes', 'broke-off'],
  ],
  'server-error': [
    [{ kind: 'server-error', text: 'x', isOpen: true }, 'after-settling'],
    [{ kind: 'server-error', text: 'x', isOpen: false }, 'yes'],
  ],
  'database-unavailable': [[{ kind: 'database-unavailable' }, 'yes']],
  unavailable: [[{ kind: 'unavailable' }, 'yes']],
};

for (const [kind, cases] of Object.entries(rows))
  test(`${kind} says whether to repeat the request, and the cause if it is known`, () => {
    for (const [problem, retry, cause] of cases) {
      assert.equal(retryOf(problem), retry, JSON.stringify(problem));
      const headers = { 'gastpass-retry': retry, ...(cause && { 'gastpass-cause': cause }) };
      assert.deepEqual(retryHeaders(problem), headers);
    }
  });
