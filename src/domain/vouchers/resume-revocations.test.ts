// Tests that bulk revocations left by a stopped process are continued without waiting for one another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asRevocationId } from '../ids.ts';
import { makeResumeRevocations } from './revoke-many.ts';

test('a later bulk revocation does not wait for an earlier one, and none is started twice', async () => {
  const open = [asRevocationId('long')];
  const begun: string[] = [];
  const long = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const resumeRevocations = makeResumeRevocations({
    bulkRevocations: { listOpen: async () => open },
    async revokeMany(id) {
      begun.push(id);
      if (id === 'broken') throw new Error('broke off');
      await long.promise;
    },
  });
  const turn = () => resumeRevocations.start(new AbortController().signal, (error) => errors.push(error));
  await turn();
  open.push(asRevocationId('broken'));
  await turn();
  assert.deepEqual(begun, ['long', 'broken']);
  await new Promise(setImmediate);
  assert.equal(errors.length, 1);
  await turn();
  assert.deepEqual(begun, ['long', 'broken', 'broken']);

  let hasEnded = false;
  const ended = resumeRevocations.ended().then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);
  assert.equal(hasEnded, false);
  long.resolve();
  await ended;
});
