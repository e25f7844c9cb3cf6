// Webhooks as recipients of messages: which of them are active, and what an attempt changes for them and for the other
// webhooks.

import { type RawBuilder, sql } from 'kysely';
import { asWebhookId, type WebhookId } from '../../kernel/ids.ts';
import { FAILING_AFTER_ATTEMPTS } from '../../kernel/messages/judge-attempt.ts';
import type { Verdict } from '../../kernel/messages/message.ts';
import { pauseFor } from '../../kernel/messages/pause-columns.ts';
import type { Recipients } from '../../kernel/messages/recipient-queries.ts';
import type { Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { insertIncident } from './incident-queries.ts';
import { FORMATS, PLATFORMS } from './webhook.ts';
import { selectWebhook } from './webhook-queries.ts';

const literals = (values: readonly string[]) => sql.join(values.map((value) => sql.lit(value)));

export function makeWebhookRecipients(seal: Seal): Recipients {
  return {
    ready: () => sql`(
      select id as recipient_id, failures, due_at_ms, paused_at_ms from webhooks
      where active = 1 and format in (${literals(FORMATS)}) and (platform is null or platform in (${literals(PLATFORMS)}))
    )`,
    noteAttempt: (transaction, { recipientId, now }, verdict) =>
      noteWebhookAttempt(transaction, seal, { id: asWebhookId(recipientId), verdict, now }),
  };
}

interface Noted {
  id: WebhookId;
  verdict: Verdict;
  now: RawBuilder<number>;
}

/** Records an attempt. Once per series of failures, the other webhooks are told that this one fails or is off. */
export async function noteWebhookAttempt(
  transaction: Handle,
  seal: Seal,
  { id, verdict, now }: Noted,
): Promise<void> {
  const after = await updateWebhookAfterAttempt(transaction, { id, verdict, now });
  if (!after || !verdict.failed) return;
  const { failures, nowMs } = after;
  const isOff = verdict.offBecause !== null;
  if (isOff ? failures > FAILING_AFTER_ATTEMPTS : failures !== FAILING_AFTER_ATTEMPTS) return;
  const webhook = await selectWebhook(transaction, seal, id);
  if (!webhook) return;
  const incident = {
    kind: 'webhook.failing',
    webhookId: id,
    webhookName: webhook.name,
    failures,
    isOff,
  } as const;
  await insertIncident(transaction, incident, { occurredAtMs: nowMs, exceptId: id });
}

/** Returns the number of consecutive failures and the current time; undefined if the webhook was removed. */
async function updateWebhookAfterAttempt(
  handle: Handle,
  { id, verdict: { failed, pauseMs, offBecause }, now }: Noted,
): Promise<{ failures: number; nowMs: number } | undefined> {
  const row = await handle
    .updateTable('webhooks')
    .set((eb) => ({
      failures: failed ? eb('failures', '+', 1) : 0,
      ...pauseFor(pauseMs, now),
      ...(offBecause !== null && { active: 0, off_because: offBecause }),
    }))
    .where('id', '=', id)
    .returning(['failures', now.as('now_ms')])
    .executeTakeFirst();
  return row && { failures: row.failures, nowMs: row.now_ms };
}
