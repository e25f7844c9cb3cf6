// The channels by which messages are sent. To add one, write a folder and name it here.

import type { ChannelKind } from './channel-kind.ts';
import { webhookChannel } from './webhook/channel.ts';

export const CHANNELS: readonly ChannelKind[] = [webhookChannel];
