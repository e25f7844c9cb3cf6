// A webhook: where notifications go and in which form. And what is needed of its store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { WebhookId } from '../ids.ts';

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

/** What a generic webhook is signed with. During a change both hold, so that receivers can follow. */
export interface SigningSecrets {
  current: string;
  previous?: { secret: string; untilMs: number };
}

export interface Webhook {
  id: WebhookId;
  /** A secret itself: whoever knows the address of a chat can write there. */
  url: string;
  format: Format;
  /** Of a chat; null for one that is known by nothing but its `{"text"}`. */
  platform: Platform | null;
  secrets: SigningSecrets | null;
  active: boolean;
  /** Set when it was not switched off by hand. */
  offBecause: string | null;
  /** Tries that failed in a row, up to now. */
  failures: number;
  createdAtMs: number;
}

export type NewWebhook = Pick<Webhook, 'url' | 'format' | 'platform' | 'secrets'>;

export interface WebhookChange {
  active?: boolean;
  secrets?: SigningSecrets;
}

export interface WebhookStore {
  list(): Promise<Webhook[]>;
  find(id: WebhookId): Promise<Webhook | undefined>;
  add(webhook: NewWebhook, audit: AuditContext): Promise<WebhookId>;
  /** Switched on again, it is tried at once. */
  change(id: WebhookId, change: WebhookChange, audit: AuditContext): Promise<boolean>;
  /** With all that waits for it, and its log. */
  remove(id: WebhookId, audit: AuditContext): Promise<boolean>;
}

/** As it may be shown: the path of a chat's address is its password. */
export function toShownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
