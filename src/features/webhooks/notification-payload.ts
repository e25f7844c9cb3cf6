// A notification as the payload of a message. Its id, kind and time are fields of the message itself.

import * as v from 'valibot';
import { publishedCause, readCause } from '../../kernel/controllers/controller.ts';
import { asGuestRequestId, asSiteId, asWebhookId } from '../../kernel/ids.ts';
import type { NewMessage } from '../../kernel/messages/message.ts';
import { readKnown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import {
  type Incident,
  NOTIFICATION_KINDS,
  type Notification,
  type UnknownNotification,
} from './notification.ts';

const OCCURRENCE = v.object({
  voucherCount: v.number(),
  siteName: v.string(),
  source: v.string(),
});

const siteId = v.pipe(v.number(), v.transform(asSiteId));

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
  v.object({
    kind: v.literal('request.created'),
    siteId,
    requestId: v.pipe(v.number(), v.transform(asGuestRequestId)),
    waiting: v.number(),
  }),
]);

export function toPayload(notification: Notification): Record<string, unknown> {
  const { eventId, kind, occurredAtMs, ...facts } = notification;
  if (notification.kind !== 'site.unreachable' || notification.cause === null) return facts;
  return { ...facts, cause: publishedCause(notification.cause) };
}

/** If this release cannot read the notification, returns only the fields that all notifications have. */
export function readNotification({
  eventId,
  kind: text,
  payload,
  occurredAtMs,
}: Omit<NewMessage, 'recipientId'>): Notification | UnknownNotification {
  const read = v.safeParse(OCCURRENCE, payload);
  const facts = read.success ? read.output : { voucherCount: 0, siteName: '', source: '' };
  const occurrence = { ...facts, eventId, occurredAtMs };
  const kind = read.success ? readKnown(NOTIFICATION_KINDS, text) : UNKNOWN;
  if (kind === 'webhook.test' || kind === 'voucher.created' || kind === UNKNOWN)
    return { ...occurrence, kind };
  const incident = v.safeParse(INCIDENT, { ...Object(payload), kind });
  return incident.success ? { ...occurrence, ...incident.output } : { ...occurrence, kind: UNKNOWN };
}
