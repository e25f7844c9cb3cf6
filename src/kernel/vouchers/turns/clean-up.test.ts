// Tests that the steps of the clean-up do not depend on each other.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCleanUpTurn } from './clean-up.ts';

test('a step that fails does not stop the others, and its error is reported', async () => {
  const done: string[] = [];
  const step = (name: string) => async () => void done.push(name);
  const fail = async () => {
    throw new Error('the table is too large');
  };
  const turn = makeCleanUpTurn(
    {
      vouchers: { addNotedChanges: step('changes'), forgetOldResponses: fail },
      webSessions: { forgetOld: fail },
      loginThrottle: { forgetOld: step('logins') },
      pendingLogins: { forgetOld: step('pending') },
      oneTimeForms: { forgetOld: step('forms') },
      messages: { giveUpWaiting: step('waiting'), forgetFinished: step('finished') },
      bulkRevocations: { forgetOld: step('revocations') },
      readTrustedTime: async () => ({ nowMs: 0, runningMs: 0 }),
    },
    [{ name: 'test', kinds: [], keepsSequence: true }],
    [fail, step('a feature')],
  );
  await assert.rejects(turn(), /too large/);
  assert.deepEqual(done, [
    'changes',
    'logins',
    'pending',
    'forms',
    'waiting',
    'finished',
    'revocations',
    'a feature',
  ]);
});
