// Adding a webhook, and giving one a new signing secret. Secrets are returned this once.

import type { Doer } from '../audit-log.ts';
import type { WebhookId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import { makeSigningSecret, rotated } from './signing-secret.ts';
import type { Format, Platform, WebhookStore } from './webhook.ts';

export interface WebhookWish {
  url: string;
  format: Format;
  /** Only for chats; found out by the host unless it is said. */
  platform?: Platform | undefined;
}

export type AddWebhook = (
  wish: WebhookWish,
  by: Doer,
) => Promise<Result<{ id: WebhookId; platform: Platform | null; secret: string | null }, { text: string }>>;

/** Undefined when there is no such webhook, or it is not signed. */
export type RotateSecret = (id: WebhookId, by: Doer) => Promise<string | undefined>;

interface Needs {
  webhooks: WebhookStore;
  findUrlFault: (url: string) => Promise<string | undefined>;
  detectPlatform: (url: string) => Platform | null;
}

export function makeAddWebhook({ webhooks, findUrlFault, detectPlatform }: Needs): AddWebhook {
  return async function addWebhook({ url: text, format, platform }, by) {
    const fault = await findUrlFault(text);
    if (fault) return fail({ text: fault });
    const address = new URL(text);
    // Never sent, and two addresses that differ by it are one.
    address.hash = '';
    const url = address.href;
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

export function makeRotateSecret({ webhooks }: Pick<Needs, 'webhooks'>): RotateSecret {
  return async function rotateSecret(id, by) {
    const webhook = await webhooks.find(id);
    if (!webhook?.secrets) return undefined;
    const secrets = rotated(webhook.secrets, by.atMs);
    await webhooks.change(id, { secrets }, by);
    return secrets.current;
  };
}
