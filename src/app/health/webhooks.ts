// Examines whether the notifications of webhooks are delivered. A webhook that a user switched off is not a problem.

import type { Finding } from '../../domain/health/finding.ts';
import { toOneLine } from '../../domain/one-line.ts';
import type { LoggedDelivery } from '../../domain/webhooks/delivery.ts';
import { isKnownWebhook, toShownUrl, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Installation } from '../installation.ts';
import { ok, warning } from './finding.ts';

/** How many deliveries to a failing webhook are searched for its last error. */
const LOOKED_AT = 500;

/** The alert GastpassDeliveriesLate has the same limit. */
const LATE_MS = 30 * 60_000;

export async function examineWebhooks({
  webhooks,
  deliveries,
  readBacklogs,
}: Installation): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const webhook of await webhooks.list()) {
    const log = webhook.failures > 0 ? await deliveries.log({ webhookId: webhook.id, limit: LOOKED_AT }) : [];
    findings.push(examineWebhook(webhook, lastErrorOf(log)));
  }
  const { count, oldestMs } = (await readBacklogs()).deliveries;
  if (oldestMs > LATE_MS) findings.push(warning({ kind: 'deliveries-late', count, oldestMs }));
  return findings;
}

/**
 * Sorts the attempts of all deliveries by time: the log lists the newest delivery first, but the delivery that is being
 * attempted is older than the deliveries that wait behind it.
 */
function lastErrorOf(log: LoggedDelivery[]): string | undefined {
  const attempts = log.flatMap((delivery) => delivery.attempts).sort((one, other) => other.atMs - one.atMs);
  return attempts.find(({ error }) => error !== null)?.error ?? undefined;
}

function examineWebhook(webhook: Webhook, lastError: string | undefined): Finding {
  const { id, name, url, active, offBecause, failures } = webhook;
  const facts = { webhookId: id, webhook: name, url: toShownUrl(url) };
  if (!isKnownWebhook(webhook)) return warning({ kind: 'webhook-not-known', ...facts });
  if (offBecause) return warning({ kind: 'webhook-off', ...facts });
  if (!active) return ok({ kind: 'webhook-inactive', ...facts });
  if (failures === 0) return ok({ kind: 'webhook-ok', ...facts });
  return warning({ kind: 'webhook-failing', failures, detail: toOneLine(lastError ?? ''), ...facts });
}
