// Wires the use cases that manage webhooks and test them.

import { makeSharedDnsLookup } from '../channels/targets/shared-dns-lookup.ts';
import { WEBHOOK_TIMEOUT_MS } from '../channels/webhook/channel.ts';
import { detectPlatform } from '../channels/webhook/platforms.ts';
import { makeSendNotification } from '../channels/webhook/send-notification.ts';
import { findUrlIssue } from '../channels/webhook/url-issue.ts';
import { makeJudgeAttempt } from '../domain/messages/judge-attempt.ts';
import { makeAddWebhook, makeChangeWebhook, makeRotateSecret } from '../domain/webhooks/manage-webhooks.ts';
import { makeTestWebhook } from '../domain/webhooks/test-webhook.ts';
import type { Installation } from './installation.ts';

export function makeWebhookUseCases(installation: Installation) {
  const { webhooks, deliveries, clock, findOutdated, webhookTargets: rule } = installation;
  const lookUp = makeSharedDnsLookup();
  const sendNotification = makeSendNotification({ rule, clock, timeoutMs: WEBHOOK_TIMEOUT_MS, lookUp });
  const judgeAttempt = makeJudgeAttempt({ random: Math.random, pace: 1 });
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
  };
}
