// Wires the use cases that manage webhooks and deliver notifications to them.

import type { Log } from '../domain/log.ts';
import { makeDeliverTo } from '../domain/webhooks/deliver.ts';
import { makeAddWebhook, makeChangeWebhook, makeRotateSecret } from '../domain/webhooks/manage-webhooks.ts';
import { makeJudgeAttempt } from '../domain/webhooks/retry-schedule.ts';
import { makeTestWebhook } from '../domain/webhooks/test-webhook.ts';
import { makeLog } from '../observe/log.ts';
import { findUrlIssue } from '../webhooks/guarded-lookup.ts';
import { detectPlatform } from '../webhooks/platforms.ts';
import { makeSendNotification } from '../webhooks/send-notification.ts';
import { makeSharedLookup } from '../webhooks/shared-lookup.ts';
import type { Installation } from './installation.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;

interface Parts {
  log?: Log;
  observe?: (outcome: 'delivered' | 'failed') => void;
  /** Scales all delays and time-outs of webhook delivery; 1 is real time. */
  pace?: number;
}

export function makeWebhookUseCases(
  installation: Installation,
  { log = makeLog('silent'), observe = () => {}, pace = 1 }: Parts = {},
) {
  const { webhooks, deliveries, withLease, clock, findOutdated, webhookTargets: rule } = installation;
  const timeoutMs = WEBHOOK_TIMEOUT_MS * pace;
  const lookUp = makeSharedLookup();
  const sendNotification = makeSendNotification({ rule, clock, timeoutMs, lookUp });
  const judgeAttempt = makeJudgeAttempt({ random: Math.random, pace });
  return {
    addWebhook: makeAddWebhook({
      webhooks,
      findUrlIssue: (url) => findUrlIssue(url, rule, lookUp),
      detectPlatform,
      findOutdated,
    }),
    changeWebhook: makeChangeWebhook({ webhooks, findOutdated }),
    rotateSecret: makeRotateSecret({ webhooks }),
    testWebhook: makeTestWebhook({ deliveries, sendNotification, judgeAttempt, clock }),
    deliverTo: makeDeliverTo({ deliveries, sendNotification, judgeAttempt, withLease, log, observe }),
  };
}
