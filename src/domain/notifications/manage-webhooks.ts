// Adding a webhook, and giving one a new signing secret. Secrets are returned this once.

import type { Clock } from '../clock.ts';
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
  actor: string,
) => Promise<Result<{ id: WebhookId; platform: Platform | null; secret: string | null }, { text: string }>>;

/** Undefined when there is no such webhook, or it is not signed. */
export type RotateSecret = (id: WebhookId, actor: string) => Promise<string | undefined>;

interface Needs {
  webhooks: WebhookStore;
  findUrlFault: (url: string) => Promise<string | undefined>;
  detectPlatform: (url: string) => Platform | null;
  clock: Clock;
}

export function makeAddWebhook({ webhooks, findUrlFault, detectPlatform, clock }: Needs): AddWebhook {
  return async function addWebhook({ url: text, format, platform }, actor) {
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
    const id = await webhooks.add(webhook, { actor, atMs: clock.nowMs() });
    return ok({ id, platform: webhook.platform, secret });
  };
}

export function makeRotateSecret({ webhooks, clock }: Pick<Needs, 'webhooks' | 'clock'>): RotateSecret {
  return async function rotateSecret(id, actor) {
    const webhook = await webhooks.find(id);
    if (!webhook?.secrets) return undefined;
    const secrets = rotated(webhook.secrets, clock.nowMs());
    await webhooks.change(id, { secrets }, { actor, atMs: clock.nowMs() });
    return secrets.current;
  };
}
