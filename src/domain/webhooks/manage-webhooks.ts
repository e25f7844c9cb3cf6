// Adds a webhook, or rotates its signing secret. A secret is returned only once.

import type { AuditContext } from '../audit/audit-log.ts';
import type { WebhookId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import { makeSigningSecret, rotated } from './signing-secret.ts';
import type { Format, Platform, WebhookStore } from './webhook.ts';

export interface WebhookInput {
  url: string;
  format: Format;
  /** Only for chats; detected from the host if absent. */
  platform?: Platform | undefined;
}

export type AddWebhook = (
  input: WebhookInput,
  by: AuditContext,
) => Promise<Result<{ id: WebhookId; platform: Platform | null; secret: string | null }, { text: string }>>;

/** Undefined if there is no such webhook, or its notifications are not signed. */
export type RotateSecret = (id: WebhookId, by: AuditContext) => Promise<string | undefined>;

interface Deps {
  webhooks: WebhookStore;
  findUrlIssue: (url: string) => Promise<string | undefined>;
  detectPlatform: (url: string) => Platform | null;
}

export function makeAddWebhook({ webhooks, findUrlIssue, detectPlatform }: Deps): AddWebhook {
  return async function addWebhook({ url: text, format, platform }, by) {
    const issue = await findUrlIssue(text);
    if (issue) return fail({ text: issue });
    const parsed = new URL(text);
    // The fragment is never sent, and URLs that differ only in the fragment are the same.
    parsed.hash = '';
    const url = parsed.href;
    const twin = (await webhooks.list()).find((webhook) => webhook.url === url);
    if (twin) return fail({ text: `webhook ${twin.id} has this address already` });

    const isChat = format === 'chat';
    const secret = isChat ? null : makeSigningSecret();
    const webhook = {
      url,
      format,
      platform: isChat ? (platform ?? detectPlatform(url)) : null,
      secrets: secret === null ? null : { current: secret },
    };
    const id = await webhooks.add(webhook, by);
    return ok({ id, platform: webhook.platform, secret });
  };
}

export function makeRotateSecret({ webhooks }: Pick<Deps, 'webhooks'>): RotateSecret {
  return async function rotateSecret(id, by) {
    const webhook = await webhooks.find(id);
    if (!webhook?.secrets) return undefined;
    const secrets = rotated(webhook.secrets, by.atMs);
    await webhooks.change(id, { secrets }, by);
    return secrets.current;
  };
}
