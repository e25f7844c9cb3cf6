// Sends the messages of one channel: writes the messages for new events, and calls all recipients that are due in
// parallel, so that a slow one does not delay the others.

import { type Loop, startLoop } from '../../platform/jobs/loop.ts';
import type { Log } from '../../platform/log/log.ts';
import type { Channel } from './channel.ts';
import type { MessageQueue } from './message.ts';
import type { SendTo } from './send-messages.ts';

const EVERY_MS = 500;
const PAUSE_AFTER_FAILURE_MS = 10_000;
/** How long a recipient is left alone whose messages cannot be sent now, for example because e-mail is not set up. */
const BLOCKED_MS = 5_000;
/** How many events one transaction collects. Few, because requests that write to the database wait for it. */
const COLLECTED_AT_ONCE = 20;

interface Deps {
  channel: Channel;
  queue: Pick<MessageQueue, 'listDue'>;
  sendTo: SendTo;
  log: Log;
  /** Scales all pauses; 1 is real time. */
  pace: number;
}

export function startMessageLoop({ channel, queue, sendTo, log, pace }: Deps): Loop {
  const running = new Map<number, Promise<void>>();
  const blockedUntilMs = new Map<number, number>();
  const loop = startLoop({
    name: `messages by ${channel.name}`,
    run: turn,
    log,
    pauseAfterFailureMs: PAUSE_AFTER_FAILURE_MS * pace,
    firstPauseMs: EVERY_MS * pace,
  });
  return {
    async stop() {
      await loop.stop();
      await Promise.all(running.values());
    },
  };

  async function turn(signal: AbortSignal): Promise<number> {
    const collected = await channel.collect?.(COLLECTED_AT_ONCE);
    for (const id of await queue.listDue(channel))
      if (!running.has(id) && !isBlocked(id)) running.set(id, serve(id, signal));
    // Further events are collected in the next turn, so that messages are also sent while many events arrive.
    return collected === COLLECTED_AT_ONCE ? 0 : EVERY_MS * pace;
  }

  function isBlocked(recipientId: number): boolean {
    return performance.now() < (blockedUntilMs.get(recipientId) ?? 0);
  }

  async function serve(recipientId: number, signal: AbortSignal): Promise<void> {
    try {
      if (await sendTo(recipientId, signal))
        blockedUntilMs.set(recipientId, performance.now() + BLOCKED_MS * pace);
      else blockedUntilMs.delete(recipientId);
    } catch (error) {
      log.error(
        { channel: channel.name, recipientId, err: error },
        'cannot deliver messages, will try again',
      );
    } finally {
      running.delete(recipientId);
    }
  }
}
