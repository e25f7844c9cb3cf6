// The channels through which messages are sent, one folder each.

import type { ChannelKind } from './channel-kind.ts';
import { mailChannel } from './mail/channel.ts';
import { printerChannel } from './printer/channel.ts';
import { webhookChannel } from './webhook/channel.ts';

export const CHANNELS: readonly ChannelKind[] = [webhookChannel, mailChannel, printerChannel];
