// The channel of webhooks: sends notifications as requests to chats and programs. If several notifications wait for a
// chat, new vouchers of the same site and source are reported in one message.

import { asWebhookId } from '../../../kernel/ids.ts';
import type { Installation } from '../../../kernel/installation.ts';
import type { Channel } from '../../../kernel/messages/channel.ts';
import type { ChannelKind, ChannelParts } from '../../../kernel/messages/channel-kind.ts';
import { type AttemptOutcome, type Message, NOTHING_SENT } from '../../../kernel/messages/message.ts';
import { makeSharedDnsLookup } from '../../../platform/network/targets/shared-dns-lookup.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import { type DeliveryStore, WEBHOOK_CHANNEL } from '../delivery.ts';
import type { Notification } from '../notification.ts';
import { readNotification, toPayload } from '../notification-payload.ts';
import { isKnownWebhook, type KnownWebhook, type WebhookStore } from '../webhook.ts';
import { WEBHOOK_TRIES } from '../webhook-metrics.ts';
import { makeSendNotification } from './send-notification.ts';

export const WEBHOOK_TIMEOUT_MS = 10_000;

export const webhookChannel = {
  rules: WEBHOOK_CHANNEL,
  tries: WEBHOOK_TRIES,
  open: openWebhookChannel,
} satisfies ChannelKind;

interface Deps extends Pick<Installation, 'webhookTargets' | 'clock'> {
  webhooks: Pick<WebhookStore, 'findTarget'>;
  deliveries: Pick<DeliveryStore, 'fanOut'>;
}

interface Delivery {
  webhook: KnownWebhook;
  notification: Notification;
}

/**
 * The outcome if a delivery cannot be read. If the webhook was deleted, its messages were deleted, too, and this
 * outcome is not stored.
 */
const UNREADABLE: AttemptOutcome = {
  ...NOTHING_SENT,
  result: 'later',
  pauses: 'recipient',
  retryAfterMs: null,
  error: 'the webhook was removed, or a newer release has changed it',
};

function openWebhookChannel(
  { webhooks, deliveries, webhookTargets: rule, clock }: Deps,
  { pace }: Pick<ChannelParts, 'pace'>,
): Channel {
  const sendNotification = makeSendNotification({
    rule,
    clock,
    timeoutMs: WEBHOOK_TIMEOUT_MS * pace,
    lookUp: makeSharedDnsLookup(),
    pace,
  });
  return {
    ...WEBHOOK_CHANNEL,
    mayRepeat: true,
    collect: deliveries.fanOut,

    async prepare(message, listBehind) {
      const delivery = await read(message);
      if (!delivery?.webhook.active) return undefined;
      const { webhook, notification } = delivery;
      const { siteName, source } = notification;
      // A user may resend a message that was already sent as part of another one. It is then sent alone.
      const isAlone = message.mergedInto !== null || notification.kind !== 'voucher.created';
      if (webhook.format !== 'chat' || isAlone) return { ...message, merged: [] };
      const others = (await listBehind()).flatMap((other) => {
        const { kind, voucherCount, ...its } = readNotification(other);
        const isSame = kind === notification.kind && its.siteName === siteName && its.source === source;
        return isSame ? [{ id: other.id, voucherCount }] : [];
      });
      const voucherCount = others.reduce((sum, other) => sum + other.voucherCount, notification.voucherCount);
      return {
        ...message,
        payload: toPayload({ ...notification, voucherCount }),
        merged: others.map(({ id }) => id),
      };
    },

    async send(message, signal) {
      const delivery = await read(message);
      return delivery ? sendNotification(delivery.webhook, delivery.notification, signal) : UNREADABLE;
    },
  };

  /** Undefined if the webhook no longer exists, or if this release cannot read the webhook or the notification. */
  async function read(message: Message): Promise<Delivery | undefined> {
    const notification = readNotification(message);
    if (notification.kind === UNKNOWN) return undefined;
    const webhook = await webhooks.findTarget(asWebhookId(message.recipientId));
    return webhook && isKnownWebhook(webhook) ? { webhook, notification } : undefined;
  }
}
