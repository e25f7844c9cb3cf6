// Queries that notify webhooks of an incident or of a guest's request. They run in the transaction that records the
// incident, so that a crash neither loses nor repeats the notification. Incidents do not go through the outbox as
// vouchers do: they are rare, and instances of earlier releases, which empty the outbox too, would report them as
// vouchers.

import { randomUUID } from 'node:crypto';
import type { WebhookId } from '../../kernel/ids.ts';
import type { Handle } from '../../platform/database/database.ts';
import { insertDeliveries } from './delivery-queries.ts';
import type { Incident } from './notification.ts';
import { selectWebhookIdsFor } from './webhook-queries.ts';

interface Occurred {
  occurredAtMs: number;
  siteName?: string;
  /** The webhook that the incident is about: it is not notified of its own failure. */
  exceptId?: WebhookId;
}

export async function insertIncident(
  handle: Handle,
  incident: Incident,
  { occurredAtMs, siteName = '', exceptId }: Occurred,
): Promise<void> {
  const webhookIds = (await selectWebhookIdsFor(handle, incident.kind)).filter((id) => id !== exceptId);
  const occurrence = { eventId: randomUUID(), occurredAtMs, voucherCount: 0, siteName, source: '' };
  await insertDeliveries(handle, webhookIds, [{ ...occurrence, ...incident }]);
}
