// The description of a channel in `channels.ts`: its rules, and how to open it.

import type { Clock } from '../domain/clock.ts';
import type { Channel } from '../domain/messages/channel.ts';
import type { ChannelRules } from '../domain/messages/message.ts';
import type { DeliveryStore } from '../domain/webhooks/delivery.ts';
import type { WebhookStore } from '../domain/webhooks/webhook.ts';
import type { TargetRule } from './webhook/ip-rules.ts';

/** The dependencies that every channel gets. */
export interface ChannelParts {
  clock: Clock;
  webhooks: Pick<WebhookStore, 'findTarget'>;
  deliveries: Pick<DeliveryStore, 'fanOut'>;
  /** Which addresses may be called. */
  webhookTargets: TargetRule;
  /** Scales all pauses and time-outs; 1 is real time. */
  pace: number;
}

export interface ChannelKind {
  rules: ChannelRules;
  open(parts: ChannelParts): Channel;
}
