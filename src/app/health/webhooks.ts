// Examines whether the notifications of webhooks are delivered. A webhook that a user switched off is not a problem.

import { toOneLine } from '../../domain/one-line.ts';
import { NOT_KNOWN_HERE } from '../../domain/unknown-value.ts';
import type { LoggedDelivery } from '../../domain/webhooks/delivery.ts';
import { isKnownWebhook, toShownUrl, type Webhook } from '../../domain/webhooks/webhook.ts';
import type { Installation } from '../installation.ts';
import { type Finding, ok, sayDuration, warning } from './finding.ts';

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
  if (oldestMs > LATE_MS)
    findings.push(
      warning(
        'deliveries',
        `${count} waiting, the oldest for ${sayDuration(oldestMs)}: start the service if it does not run, and see gastpass webhooks log for receivers that fail or are slow`,
        { kind: 'deliveries-late', count, oldestMs },
      ),
    );
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
  const ownName = name === URL.parse(url)?.host ? '' : `${name}, `;
  const about = `webhook ${id} (${ownName}${toShownUrl(url)})`;
  const facts = { webhookId: id, webhook: name };
  if (!isKnownWebhook(webhook))
    return warning(about, `${NOT_KNOWN_HERE}: this instance sends nothing to it until you upgrade it`, {
      kind: 'webhook-not-known',
      ...facts,
    });
  if (offBecause)
    return warning(about, `switched off: ${offBecause}; gastpass webhooks set ${id} --active`, {
      kind: 'webhook-off',
      ...facts,
    });
  if (!active) return ok(about, 'switched off', { kind: 'webhook-inactive', ...facts });
  if (failures > 0)
    return warning(
      about,
      `the last ${failures === 1 ? 'attempt' : `${failures} attempts`} failed${lastError ? ` (${toOneLine(lastError)})` : ''}: repair the receiver and try it with gastpass webhooks test ${id}, or switch the webhook off with gastpass webhooks set ${id} --inactive`,
      { kind: 'webhook-failing', failures, detail: lastError ? toOneLine(lastError) : '', ...facts },
    );
  return ok(about, 'no failures', { kind: 'webhook-ok', ...facts });
}
