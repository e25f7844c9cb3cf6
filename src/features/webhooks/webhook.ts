// A webhook: the target and the format of notifications. Also defines the store.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { WebhookId } from '../../kernel/ids.ts';
import type { Result } from '../../platform/values/result.ts';
import { type OrUnknown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { EventKind } from './notification.ts';

export const FORMATS = ['chat', 'generic'] as const;
export type Format = (typeof FORMATS)[number];

export const PLATFORMS = [
  'slack',
  'mattermost',
  'rocket-chat',
  'google-chat',
  'discord',
  'teams',
  'ntfy',
] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * The secrets that sign the notifications of a generic webhook. After a rotation both secrets are used for a while, so
 * that receivers can switch.
 */
export interface SigningSecrets {
  current: string;
  previous?: { secret: string; untilMs: number };
}

export const MAX_WEBHOOK_NAME_LENGTH = 60;

export interface Webhook {
  id: WebhookId;
  /** Never empty: the host of the URL if no name was given. Unique, except in the result of `findTarget`. */
  name: string;
  /** The events that this webhook is notified of. */
  events: readonly EventKind[];
  /** Whether the webhook is also notified of events that only a newer release knows. */
  hasUnknownEvents?: true;
  /** The URL itself is a secret: anyone who knows the URL of a chat can post there. */
  url: string;
  /** Unknown if this release cannot read the format, the platform or the secrets. This release then sends nothing. */
  format: OrUnknown<Format>;
  /** Only for chats; null for a chat of an unknown platform, which gets plain `{"text"}`. */
  platform: Platform | null;
  secrets: SigningSecrets | null;
  active: boolean;
  /** The reason why the service itself deactivated the webhook; null if it did not. */
  offBecause: string | null;
  /** The number of failed attempts since the last successful one. */
  failures: number;
  createdAtMs: number;
}

/** Without a name, the webhook is named after its host. Without events, it is notified of new vouchers only. */
export type NewWebhook = Pick<Webhook, 'url' | 'platform' | 'secrets'> &
  Partial<Pick<Webhook, 'name' | 'events'>> & { format: Format };

/** A webhook that this release can send notifications to. */
export type KnownWebhook = Webhook & { format: Format };

export function isKnownWebhook(webhook: Webhook): webhook is KnownWebhook {
  return webhook.format !== UNKNOWN;
}

export interface WebhookChange {
  active?: boolean;
  secrets?: SigningSecrets;
  name?: string;
  events?: readonly EventKind[];
}

export interface WebhookStore {
  list(): Promise<Webhook[]>;
  find(id: WebhookId): Promise<Webhook | undefined>;
  /** Like `find`, but reads only this webhook, so its name is not made unique among all webhooks. */
  findTarget(id: WebhookId): Promise<Webhook | undefined>;
  add(webhook: NewWebhook, audit: AuditContext): Promise<WebhookId>;
  /**
   * Adds the webhook that `decide` chooses after seeing the existing webhooks. All of this is one transaction, so that
   * two requests cannot both add the same webhook.
   */
  addAmong<New extends NewWebhook, Issue>(
    decide: (others: Webhook[]) => Result<New, Issue>,
    audit: AuditContext,
  ): Promise<Result<New & { id: WebhookId }, Issue>>;
  /**
   * Returns undefined if there is no such webhook, or if it has no secrets. Reading and writing are one transaction, so
   * that two rotations at the same time do not overwrite each other.
   */
  replaceSecrets(
    id: WebhookId,
    replace: (secrets: SigningSecrets) => SigningSecrets,
    audit: AuditContext,
  ): Promise<SigningSecrets | undefined>;
  /** If the change activates the webhook, its waiting deliveries are sent without further delay. */
  change(id: WebhookId, change: WebhookChange, audit: AuditContext): Promise<boolean>;
  /** Removes the webhook together with its waiting deliveries and its log. */
  remove(id: WebhookId, audit: AuditContext): Promise<boolean>;
}

/** The URL without its path and query, for display. The path of a chat's URL is secret like a password. */
export function toShownUrl(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return '…';
  const { origin, pathname, search } = parsed;
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
