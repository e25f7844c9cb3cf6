// Tests what a poll of a printer costs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asMessageId } from '../../kernel/ids.ts';
import type { Message } from '../../kernel/messages/message.ts';
import type { PulledMessages } from '../../kernel/messages/pull-messages.ts';
import { makePolledJobs } from './polled-jobs.ts';
import type { Printer } from './printer.ts';

test('a poll that skips many jobs whose vouchers have ended looks for old jobs once', async () => {
  const queue = Array.from(
    { length: 500 },
    (_, at) => ({ id: asMessageId(at + 1), state: 'waiting' }) as Message,
  );
  const outcome = { result: 'cancelled', durationMs: 0, status: null, error: null, response: null } as const;
  const pulled: PulledMessages = {
    poll: async () => queue[0],
    find: async (_, id) => queue.find((job) => job.id === id),
    handOut: async () => assert.fail(),
    confirm: async () => assert.fail(),
    conclude: async () => queue.shift() !== undefined,
  };
  let searches = 0;
  const jobs = makePolledJobs({
    pulled,
    printers: { noteStatus: async () => {} },
    printJobs: { expireOld: async () => ++searches },
    writeJob: async () => ({ outcome }),
    clock: { nowMs: () => 0 },
  });
  assert.equal(await jobs.offerAndFetch({ id: 1 } as Printer), undefined);
  assert.deepEqual([queue.length, searches], [0, 1]);
});
