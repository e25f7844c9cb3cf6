// Wires the use cases that manage webhooks and test them.

import type { Installation } from '../../kernel/installation.ts';
import { makeJudgeAttempt } from '../../kernel/messages/judge-attempt.ts';
import { makeSharedDnsLookup } from '../../platform/network/targets/shared-dns-lookup.ts';
import { WEBHOOK_TIMEOUT_MS } from './channel/channel.ts';
import { detectPlatform } from './channel/platforms.ts';
import { makeSendNotification } from './channel/send-notification.ts';
import { findUrlIssue } from './channel/url-issue.ts';
import { makeAddWebhook, makeChangeWebhook, makeRotateSecret } from './manage-webhooks.ts';
import { makeTestWebhook } from './test-webhook.ts';

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
