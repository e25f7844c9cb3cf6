// The channels through which messages are sent, one folder each.

import type { ChannelKind } from './channel-kind.ts';
import { webhookChannel } from './webhook/channel.ts';

export const CHANNELS: readonly ChannelKind[] = [webhookChannel];
