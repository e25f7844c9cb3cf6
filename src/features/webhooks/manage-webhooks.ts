// Adds a webhook, changes its name and events, or rotates its signing secret. A secret is returned only once.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { WebhookId } from '../../kernel/ids.ts';
import type { FindOutdated, Outdated, UsedValue } from '../../kernel/instances/known-since.ts';
import { hasInvisible } from '../../platform/text/invisible.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { EventKind } from './notification.ts';
import { makeSigningSecret, rotated } from './signing-secret.ts';
import {
  type Format,
  MAX_WEBHOOK_NAME_LENGTH,
  type NewWebhook,
  type Platform,
  type Webhook,
  type WebhookStore,
} from './webhook.ts';

export interface WebhookInput {
  url: string;
  format: Format;
  /** Only for chats; detected from the host if absent. */
  platform?: Platform | undefined;
  /** If empty or absent, the webhook is named after the host of the URL. */
  name?: string | undefined;
  /** If absent, the webhook is notified of new vouchers only. */
  events?: readonly EventKind[] | undefined;
}

export type WebhookIssue =
  | { field: 'url'; text: string }
  | { field: 'name'; issue: 'too-long' | 'not-plain' | 'taken' }
  | { field: 'events'; issue: 'none' }
  /** An instance of an older release could not send to the webhook. */
  | { field: 'release'; outdated: Outdated };

interface Added {
  id: WebhookId;
  name: string;
  platform: Platform | null;
  secret: string | null;
}

export type AddWebhook = (input: WebhookInput, by: AuditContext) => Promise<Result<Added, WebhookIssue>>;

/** Absent values stay as they are. */
export type ChangeWebhook = (
  webhook: Webhook,
  change: Pick<WebhookInput, 'name' | 'events'>,
  by: AuditContext,
) => Promise<Result<undefined, WebhookIssue>>;

/** Returns the new secret; undefined if there is no such webhook, or if its notifications are not signed. */
export type RotateSecret = (id: WebhookId, by: AuditContext) => Promise<string | undefined>;

interface Deps {
  webhooks: WebhookStore;
  findUrlIssue: (url: string) => Promise<string | undefined>;
  detectPlatform: (url: string) => Platform | null;
  findOutdated: FindOutdated;
}

export function makeAddWebhook({ webhooks, findUrlIssue, detectPlatform, findOutdated }: Deps): AddWebhook {
  return async function addWebhook({ url: text, format, platform, name: given = '', events }, by) {
    const issue = await findUrlIssue(text);
    if (issue) return fail({ field: 'url', text: issue });
    const parsed = new URL(text);
    // Remove the fragment: it is never sent, and URLs that differ only in the fragment count as the same.
    parsed.hash = '';
    const url = parsed.href;
    const isChat = format === 'chat';
    const secret = isChat ? null : makeSigningSecret();
    const webhook = {
      url,
      format,
      platform: isChat ? (platform ?? detectPlatform(url)) : null,
      secrets: secret === null ? null : { current: secret },
      ...(events && { events }),
    };
    const outdated = await findOutdated([
      { what: 'format', value: format },
      ...(webhook.platform === null ? [] : [{ what: 'platform' as const, value: webhook.platform }]),
      ...toUsed(events),
    ]);
    if (outdated) return fail({ field: 'release', outdated });
    function decide(others: Webhook[]): Result<NewWebhook & { name: string }, WebhookIssue> {
      const twin = others.find((other) => other.url === url);
      if (twin) return fail({ field: 'url', text: `webhook ${twin.id} has this address already` });
      const found = findIssue({ name: given, events }, others);
      return found ? fail(found) : ok({ ...webhook, name: given || freeName(parsed.host, others) });
    }
    const added = await webhooks.addAmong(decide, by);
    if (!added.ok) return added;
    const { id, name } = added.value;
    return ok({ id, name, platform: webhook.platform, secret });
  };
}

export function makeChangeWebhook({
  webhooks,
  findOutdated,
}: Pick<Deps, 'webhooks' | 'findOutdated'>): ChangeWebhook {
  return async function changeWebhook(webhook, { name: given, events }, by) {
    const others = (await webhooks.list()).filter(({ id }) => id !== webhook.id);
    const issue = findIssue({ name: given ?? '', events }, others);
    if (issue) return fail(issue);
    const outdated = await findOutdated(toUsed(events));
    if (outdated) return fail({ field: 'release', outdated });
    const name = given === '' ? freeName(URL.parse(webhook.url)?.host ?? String(webhook.id), others) : given;
    const change = {
      ...(name !== undefined && name !== webhook.name && { name }),
      ...(events && events.join() !== webhook.events.join() && { events }),
    };
    if (Object.keys(change).length > 0) await webhooks.change(webhook.id, change, by);
    return ok(undefined);
  };
}

function toUsed(events: readonly EventKind[] = []): UsedValue[] {
  return events.map((value) => ({ what: 'event', value }));
}

function findIssue(
  { name, events }: { name: string; events: readonly EventKind[] | undefined },
  others: Webhook[],
): WebhookIssue | undefined {
  if (hasInvisible(name)) return { field: 'name', issue: 'not-plain' };
  if (name.length > MAX_WEBHOOK_NAME_LENGTH) return { field: 'name', issue: 'too-long' };
  if (others.some((other) => other.name === name)) return { field: 'name', issue: 'taken' };
  return events?.length === 0 ? { field: 'events', issue: 'none' } : undefined;
}

/** The host as a name, followed by a number if another webhook already has this name. */
function freeName(host: string, others: Webhook[]): string {
  const taken = new Set(others.map(({ name }) => name));
  let name = host;
  for (let number = 2; taken.has(name); number++) name = `${host} (${number})`;
  return name;
}

export function makeRotateSecret({ webhooks }: Pick<Deps, 'webhooks'>): RotateSecret {
  return async function rotateSecret(id, by) {
    const secrets = await webhooks.replaceSecrets(id, (before) => rotated(before, by.atMs), by);
    return secrets?.current;
  };
}
