// The channels through which messages are sent, one folder each.

import { mailChannel } from '../features/mail/channel/channel.ts';
import { printerChannel } from '../features/printers/channel/channel.ts';
import { webhookChannel } from '../features/webhooks/channel/channel.ts';
import type { ChannelKind } from '../kernel/messages/channel-kind.ts';

export const CHANNELS: readonly ChannelKind[] = [webhookChannel, mailChannel, printerChannel];
