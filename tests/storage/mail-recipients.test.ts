// Tests the lanes of the mail server on every engine: they send in parallel, and a server that fails gets one mail at a
// time.

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { MAIL_CHANNEL } from '../../src/features/mail/mail.ts';
import { deleteServerPause } from '../../src/features/mail/mail-queries.ts';
import { endServerPause, makeMailRecipients } from '../../src/features/mail/mail-recipient-queries.ts';
import type { Message, MessageQueue, Verdict } from '../../src/kernel/messages/message.ts';
import { makeMessageQueue } from '../../src/kernel/messages/message-store.ts';
import { onEveryEngine } from './engines.ts';
import { badAttempt, delivered, failedFor, goodAttempt, seal } from './samples.ts';

const HOUR_MS = 60 * 60_000;

onEveryEngine('the lanes of the mail server', (database) => {
  let queue: MessageQueue;
  beforeEach(async () => {
    queue = makeMessageQueue(database(), seal, { mail: makeMailRecipients(database()) });
    await database().write(async (transaction) => {
      await transaction.deleteFrom('messages').execute();
      await transaction.deleteFrom('message_recipients').execute();
    });
  });

  async function write(lane: number, { kind = 'voucher', dueAtMs = 0 } = {}): Promise<void> {
    const mail = {
      channel: 'mail',
      recipient_id: lane,
      event_id: 'e',
      kind,
      payload: '{}',
      state: 'waiting',
    };
    await database().write((transaction) =>
      transaction
        .insertInto('messages')
        .values({ ...mail, occurred_at_ms: 1, due_at_ms: dueAtMs })
        .execute(),
    );
  }
  const due = async () => (await queue.listDue(MAIL_CHANNEL)).toSorted((one, other) => one - other);
  async function next(lane: number): Promise<Message> {
    return (await queue.next(MAIL_CHANNEL, lane)) ?? assert.fail(`lane ${lane} has nothing to send`);
  }
  const confirm = (message: Message, verdict: Verdict) =>
    queue.confirm(MAIL_CHANNEL, message, verdict.failed ? badAttempt : goodAttempt, verdict);
  const fault = (pauseMs: number): Verdict => ({ ...failedFor(pauseMs), isCounted: false });
  const readServer = () => database().read.selectFrom('message_recipients').selectAll().execute();

  test('all lanes with a due mail send while the server works', async () => {
    for (const lane of [2, 3, 4, 5]) await write(lane);
    await write(1, { dueAtMs: Date.now() + HOUR_MS });
    assert.deepEqual(await due(), [2, 3, 4]);
    await confirm(await next(2), delivered);
    assert.deepEqual(await due(), [3, 4]);
    assert.deepEqual(await readServer(), []);
  });

  test('a lane sends mails that were not tried before those whose pause is over', async () => {
    await write(1, { dueAtMs: Date.now() - 1 });
    await write(1);
    await write(1);
    const sent: number[] = [];
    for (let n = 0; n < 3; n++) {
      const message = await next(1);
      sent.push(message.id);
      await confirm(message, delivered);
    }
    assert.deepEqual(
      sent.map((id) => id - Math.min(...sent)),
      [1, 2, 0],
    );
    assert.deepEqual(await due(), []);
  });

  test('a pause that ends in years is ignored: the clock was set back', async () => {
    await write(1, { dueAtMs: Date.now() + HOUR_MS });
    await write(2, { dueAtMs: Date.now() + 800 * 24 * HOUR_MS });
    assert.deepEqual(await due(), [2]);
    await confirm(await next(2), delivered);
    assert.deepEqual(await due(), []);
  });

  test('a pause of the server holds up every lane, and lanes that fail at the same time count once', async () => {
    for (const lane of [1, 2, 3]) await write(lane);
    const began = [await next(1), await next(2), await next(3)];
    for (const message of began) await confirm(message, fault(HOUR_MS));
    assert.deepEqual(await due(), []);
    assert.equal(await queue.next(MAIL_CHANNEL, 3), undefined);
    assert.partialDeepStrictEqual(await readServer(), [{ channel: 'mail', recipient_id: 0, failures: 1 }]);
    await database().write(endServerPause);
    assert.deepEqual(await due(), [1, 2, 3]);
  });

  test('a failure of a server that was replaced meanwhile does not hold up the new one', async () => {
    await write(1);
    await confirm(await next(1), fault(0));
    const began = await next(1);
    await database().write(deleteServerPause);
    await confirm(began, fault(HOUR_MS));
    assert.deepEqual([await due(), await readServer()], [[1], []]);
  });

  test('after the pause one lane tries, until a mail is sent', async () => {
    await write(1, { dueAtMs: Date.now() + HOUR_MS });
    await write(2, { kind: 'a kind of a newer release' });
    for (const lane of [3, 4]) await write(lane);
    await confirm(await next(4), fault(0));
    assert.deepEqual(await due(), [3]);
    assert.equal(await queue.next(MAIL_CHANNEL, 4), undefined);
    await confirm(await next(3), fault(0));
    assert.equal((await next(3)).failures, 2);
    await confirm(await next(3), delivered);
    assert.deepEqual(await due(), [4]);
    assert.equal((await next(4)).failures, 0);
  });
});
