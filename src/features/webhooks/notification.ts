// The content of notifications: that vouchers were created, where and by whom, that something fails, or that a guest
// asks for a voucher. Notifications never contain voucher codes or what a guest has typed.

import type { GuestRequestId, SiteId, WebhookId } from '../../kernel/ids.ts';
import type { Outage } from '../../kernel/sites/site-sync.ts';
import type { UNKNOWN } from '../../platform/values/unknown-value.ts';

/** The events that a webhook can be notified of. */
export const EVENT_KINDS = [
  'voucher.created',
  'site.unreachable',
  'site.recovered',
  'certificate.changed',
  'webhook.failing',
  'request.created',
] as const;
export type EventKind = (typeof EVENT_KINDS)[number];

export const NOTIFICATION_KINDS = [...EVENT_KINDS, 'webhook.test'] as const;

/** What a webhook is notified of unless an administrator chooses otherwise. */
export const DEFAULT_EVENTS: readonly EventKind[] = ['voucher.created'];

/** What the form for a new webhook, usually a chat, has ticked: an administrator wants to hear of outages, too. */
export const OFFERED_EVENTS: readonly EventKind[] = [
  ...DEFAULT_EVENTS,
  'site.unreachable',
  'site.recovered',
  'certificate.changed',
];

/** A failure, its end, or a request of a guest: what users want to know of at once. */
export type Incident =
  | Outage
  | { kind: 'webhook.failing'; webhookId: WebhookId; webhookName: string; failures: number; isOff: boolean }
  /** `waiting`: how many requests wait at the site, with this one. */
  | { kind: 'request.created'; siteId: SiteId; requestId: GuestRequestId; waiting: number };

interface Occurrence {
  /** The same for every target and every attempt. */
  eventId: string;
  occurredAtMs: number;
  /** 0 unless vouchers were created. */
  voucherCount: number;
  /** Empty if the event does not belong to a site. */
  siteName: string;
  /** Empty unless vouchers were created. */
  source: string;
}

export type Notification = Occurrence & ({ kind: 'voucher.created' } | { kind: 'webhook.test' } | Incident);

/** A notification of an event that only a newer release knows. It stays queued for an instance of that release. */
export type UnknownNotification = Occurrence & { kind: typeof UNKNOWN };
