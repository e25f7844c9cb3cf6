// Rules for webhooks: whether their notifications are delivered. A webhook that a user switched off is not a problem.

import { type Finding, passed, warning } from '../../kernel/health/finding.ts';
import type { WebhookId } from '../../kernel/ids.ts';
import type { Backlog } from '../../platform/database/backlogs.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { LoggedDelivery } from './delivery.ts';
import { isKnownWebhook, toShownUrl, type Webhook } from './webhook.ts';

interface OfWebhook {
  webhookId: WebhookId;
  webhook: string;
  /** The URL without its path, which may be a secret. */
  url: string;
}

/** What System health and `doctor` say about webhooks. */
export interface WebhookHealthFacts {
  'webhook-ok': OfWebhook;
  'webhook-inactive': OfWebhook;
  'webhook-off': OfWebhook;
  'webhook-not-known': OfWebhook;
  'webhook-failing': OfWebhook & { failures: number; detail: string };
  'deliveries-late': { count: number; oldestMs: number };
}

declare module '../../kernel/health/finding.ts' {
  interface HealthFacts extends WebhookHealthFacts {}
}

/** The alert GastpassDeliveriesLate has the same limit. */
const LATE_MS = 30 * 60_000;

export interface WebhookFacts {
  /** `log`: the latest deliveries of a webhook that fails. */
  webhooks: { webhook: Webhook; log: Pick<LoggedDelivery, 'attempts'>[] }[];
  backlog: Backlog;
}

export function judgeWebhooks({ webhooks, backlog: { count, oldestMs } }: WebhookFacts): Finding[] {
  return [
    ...webhooks.map(judgeWebhook),
    ...(oldestMs > LATE_MS ? [warning({ kind: 'deliveries-late', count, oldestMs })] : []),
  ];
}

function judgeWebhook({ webhook, log }: WebhookFacts['webhooks'][number]): Finding {
  const { id, name, url, active, offBecause, failures } = webhook;
  const facts = { webhookId: id, webhook: name, url: toShownUrl(url) };
  if (!isKnownWebhook(webhook)) return warning({ kind: 'webhook-not-known', ...facts });
  if (offBecause) return warning({ kind: 'webhook-off', ...facts });
  if (!active) return passed({ kind: 'webhook-inactive', ...facts });
  if (failures === 0) return passed({ kind: 'webhook-ok', ...facts });
  return warning({ kind: 'webhook-failing', failures, detail: toOneLine(lastErrorOf(log) ?? ''), ...facts });
}

/**
 * Sorts the attempts of all deliveries by time. The order of the log is not enough: it lists the newest delivery first,
 * but the latest attempt can belong to an older delivery for which the newer ones wait.
 */
function lastErrorOf(log: Pick<LoggedDelivery, 'attempts'>[]): string | undefined {
  const attempts = log.flatMap((delivery) => delivery.attempts).sort((one, other) => other.atMs - one.atMs);
  return attempts.find(({ error }) => error !== null)?.error ?? undefined;
}
