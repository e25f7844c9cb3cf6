// Starts one loop for each channel, which sends its messages.

import { CHANNELS } from '../channels/channels.ts';
import type { Log } from '../domain/log.ts';
import { makeJudgeAttempt } from '../domain/messages/judge-attempt.ts';
import { makeSendTo } from '../domain/messages/send-messages.ts';
import type { Loop } from '../workers/loop.ts';
import { startMessageLoop } from '../workers/messages.ts';
import type { Installation } from './installation.ts';

interface Parts {
  log: Log;
  observe: (channel: string, outcome: 'delivered' | 'failed') => void;
  pace: number;
}

export function startMessageLoops(installation: Installation, { log, observe, pace }: Parts): Loop[] {
  const { messages: queue, withLease, clock, webhooks, deliveries, webhookTargets } = installation;
  const judgeAttempt = makeJudgeAttempt({ random: Math.random, pace });
  return CHANNELS.map(({ open }) => {
    const channel = open({ clock, webhooks, deliveries, webhookTargets, pace });
    const sendTo = makeSendTo({ channel, queue, judgeAttempt, withLease, log, observe });
    return startMessageLoop({ channel, queue, sendTo, log, pace });
  });
}
