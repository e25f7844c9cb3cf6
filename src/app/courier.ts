// Wires who takes notifications to where they are wanted.

import { makeDeliverTo } from '../domain/notifications/deliver.ts';
import { makeJudgeTry } from '../domain/notifications/judge-try.ts';
import { makeAddWebhook, makeRotateSecret } from '../domain/notifications/manage-webhooks.ts';
import { makeTestWebhook } from '../domain/notifications/test-webhook.ts';
import { type AppLog, makeLog } from '../observe/log.ts';
import { findUrlFault } from '../webhooks/guarded-lookup.ts';
import { detectPlatform } from '../webhooks/platforms.ts';
import { makeSendNotification } from '../webhooks/send-notification.ts';
import type { Installation } from './installation.ts';

const WEBHOOK_TIMEOUT_MS = 10_000;

interface CourierParts {
  log?: AppLog;
  observe?: (outcome: 'delivered' | 'failed') => void;
  /** Of all times around notifications; 1 is real time. */
  pace?: number;
}

/** Who takes notifications to where they are wanted. */
export function makeCourier(
  installation: Installation,
  { log = makeLog('silent'), observe = () => {}, pace = 1 }: CourierParts = {},
) {
  const rule = installation.webhookTargets;
  const needs = {
    ...installation,
    sendNotification: makeSendNotification({
      rule,
      clock: installation.clock,
      timeoutMs: WEBHOOK_TIMEOUT_MS * pace,
    }),
    judgeTry: makeJudgeTry({ random: Math.random, pace }),
    findUrlFault: (url: string) => findUrlFault(url, rule),
    detectPlatform,
    log,
    observe,
  };
  return {
    addWebhook: makeAddWebhook(needs),
    rotateSecret: makeRotateSecret(needs),
    testWebhook: makeTestWebhook(needs),
    deliverTo: makeDeliverTo(needs),
  };
}
