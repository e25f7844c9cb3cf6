// The description of a channel, which a feature declares: its rules, and how to open it.

import type { Installation } from '../installation.ts';
import type { AttemptCounter } from './attempt-counter.ts';
import type { Channel } from './channel.ts';
import type { ChannelRules } from './message.ts';

/** What the service gives its channels, besides the installation. A channel may extend it. */
export interface ChannelParts {
  timeZone: string;
  /** Scales all pauses and time-outs; 1 is real time. */
  pace: number;
}

export interface ChannelKind {
  rules: ChannelRules;
  tries: AttemptCounter;
  open(installation: Installation, parts: ChannelParts): Channel;
}
