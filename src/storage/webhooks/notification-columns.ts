// The columns of a delivery that hold its notification and its state.

import { type Selectable, sql } from 'kysely';
import * as v from 'valibot';
import { publishedCause, readCause } from '../../domain/controller.ts';
import { asDeliveryId, asSiteId, asWebhookId, type DeliveryId } from '../../domain/ids.ts';
import { readKnown, UNKNOWN } from '../../domain/unknown-value.ts';
import type { DeliveryState } from '../../domain/webhooks/delivery.ts';
import {
  EVENT_KINDS,
  type Incident,
  type Notification,
  type UnknownNotification,
} from '../../domain/webhooks/notification.ts';
import { readJson } from '../read-json.ts';
import type { Tables } from '../schema.ts';

const siteId = v.pipe(v.number(), v.transform(asSiteId));

const DETAILS = v.record(v.string(), v.unknown());

const MERGED = v.object({ mergedInto: v.pipe(v.number(), v.transform(asDeliveryId)) });

const INCIDENT: v.GenericSchema<unknown, Incident> = v.variant('kind', [
  v.object({
    kind: v.literal('site.unreachable'),
    siteId,
    sinceMs: v.number(),
    cause: v.pipe(v.nullable(v.string()), v.transform(readCause)),
  }),
  v.object({ kind: v.literal('site.recovered'), siteId, sinceMs: v.number() }),
  v.object({ kind: v.literal('certificate.changed'), siteId, sinceMs: v.number() }),
  v.object({
    kind: v.literal('webhook.failing'),
    webhookId: v.pipe(v.number(), v.transform(asWebhookId)),
    webhookName: v.string(),
    failures: v.number(),
    isOff: v.boolean(),
  }),
]);

/** Deliveries of events that only a newer release knows are left to instances of that release. */
export const isKnownKind = sql<boolean>`kind in (${sql.join([...EVENT_KINDS, 'webhook.test'].map((kind) => sql.lit(kind)))})`;

export function toColumns(notification: Notification, state: DeliveryState) {
  const { eventId, kind, voucherCount, siteName, source, occurredAtMs, ...incident } = notification;
  const columns = {
    event_id: eventId,
    kind,
    voucher_count: voucherCount,
    site_name: siteName,
    source,
    occurred_at_ms: occurredAtMs,
  };
  if (kind === 'voucher.created' || kind === 'webhook.test') return { ...columns, state };
  const cause =
    notification.kind === 'site.unreachable' && notification.cause && publishedCause(notification.cause);
  const details = JSON.stringify({ ...incident, ...(cause && { cause }) });
  return { ...columns, state: 'given-up', event_state: state, details };
}

export function toMergedDetails(mergedInto: DeliveryId): string {
  return JSON.stringify({ mergedInto });
}

/** Null unless the delivery was finished without an attempt, by the message of another delivery. */
export function readMergedInto(row: Selectable<Tables['deliveries']>): DeliveryId | null {
  if (row.state !== 'delivered' || row.tries > 0) return null;
  const details = v.safeParse(MERGED, readJson(row.details ?? ''));
  return details.success ? details.output.mergedInto : null;
}

export function toNotification(row: Selectable<Tables['deliveries']>): Notification | UnknownNotification {
  const occurrence = {
    eventId: row.event_id,
    voucherCount: row.voucher_count,
    siteName: row.site_name,
    source: row.source,
    occurredAtMs: row.occurred_at_ms,
  };
  const kind = readKnown([...EVENT_KINDS, 'webhook.test'], row.kind);
  if (kind === 'webhook.test' || kind === 'voucher.created' || kind === UNKNOWN)
    return { ...occurrence, kind };
  const details = v.safeParse(DETAILS, readJson(row.details ?? ''));
  const incident = v.safeParse(INCIDENT, details.success ? { ...details.output, kind } : undefined);
  return incident.success ? { ...occurrence, ...incident.output } : { ...occurrence, kind: UNKNOWN };
}
