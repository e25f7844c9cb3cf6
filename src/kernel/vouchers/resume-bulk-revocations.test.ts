// Tests that bulk revocations left by a stopped process are continued without waiting for one another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asBulkRevocationId } from '../ids.ts';
import { makeResumeBulkRevocations } from './run-bulk-revocation.ts';

test('a later bulk revocation does not wait for an earlier one, and none is started twice', async () => {
  const open = [asBulkRevocationId('long')];
  const begun: string[] = [];
  const long = Promise.withResolvers<void>();
  const errors: unknown[] = [];
  const resumeBulkRevocations = makeResumeBulkRevocations({
    bulkRevocations: { listOpen: async () => open },
    async runBulkRevocation(id) {
      begun.push(id);
      if (id === 'broken') throw new Error('broke off');
      await long.promise;
    },
  });
  const turn = () => resumeBulkRevocations.start(new AbortController().signal, (error) => errors.push(error));
  await turn();
  open.push(asBulkRevocationId('broken'));
  await turn();
  assert.deepEqual(begun, ['long', 'broken']);
  await new Promise(setImmediate);
  assert.equal(errors.length, 1);
  await turn();
  assert.deepEqual(begun, ['long', 'broken', 'broken']);

  let hasEnded = false;
  const ended = resumeBulkRevocations.ended().then(() => {
    hasEnded = true;
  });
  await new Promise(setImmediate);
  assert.equal(hasEnded, false);
  long.resolve();
  await ended;
});
