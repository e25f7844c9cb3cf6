// The description of a channel in `channels.ts`: its rules, and how to open it.

import type { Clock } from '../domain/clock.ts';
import type { ReadTrustedTime } from '../domain/clock-check/clock-check.ts';
import type { GuestLinkStore } from '../domain/guest-pages/guest-link.ts';
import type { MailStore } from '../domain/mail/mail.ts';
import type { MailServerStore } from '../domain/mail/mail-server.ts';
import type { MailTextStore } from '../domain/mail/mail-texts.ts';
import type { Channel } from '../domain/messages/channel.ts';
import type { ChannelRules } from '../domain/messages/message.ts';
import type { PrintJobStore } from '../domain/printers/print-job.ts';
import type { PrinterStore } from '../domain/printers/printer.ts';
import type { PublicUrl } from '../domain/settings/public-url.ts';
import type { ImageStore, SettingsStore } from '../domain/settings/settings.ts';
import type { SiteStore } from '../domain/sites/site.ts';
import type { SlipStore } from '../domain/sites/slip.ts';
import type { InvitationStore } from '../domain/users/invitations.ts';
import type { VoucherFinder } from '../domain/vouchers/voucher-search.ts';
import type { DeliveryStore } from '../domain/webhooks/delivery.ts';
import type { WebhookStore } from '../domain/webhooks/webhook.ts';
import type { DrawJob } from './printer/draw-job.ts';
import type { TargetRule } from './targets/ip-rules.ts';

/** The dependencies of the channel of webhooks. */
export interface WebhookParts {
  clock: Clock;
  webhooks: Pick<WebhookStore, 'findTarget'>;
  deliveries: Pick<DeliveryStore, 'fanOut'>;
  /** Which addresses may be called. */
  webhookTargets: TargetRule;
  /** Scales all pauses and time-outs; 1 is real time. */
  pace: number;
}

/** The dependencies of the channel of mails. */
export interface MailParts {
  clock: Clock;
  mailServer: Pick<MailServerStore, 'find'>;
  mails: Pick<MailStore, 'search' | 'takeSlot' | 'endPause'>;
  finder: Pick<VoucherFinder, 'search'>;
  sites: Pick<SiteStore, 'find'>;
  slips: Pick<SlipStore, 'find'>;
  images: Pick<ImageStore, 'find'>;
  mailTexts: Pick<MailTextStore, 'find'>;
  settings: Pick<SettingsStore, 'read'>;
  guestLinks: Pick<GuestLinkStore, 'find'>;
  invitations: Pick<InvitationStore, 'find'>;
  /** The address of the service in a browser, if it is known. */
  readPublicUrl(): Promise<Pick<PublicUrl, 'url'> | undefined>;
  readTrustedTime: ReadTrustedTime;
  /** The time zone of the service. */
  timeZone: string;
  pace: number;
}

/** The dependencies of the channel of printers. */
export interface PrinterParts {
  clock: Clock;
  printers: Pick<PrinterStore, 'find' | 'noteStatus'>;
  printJobs: Pick<PrintJobStore, 'expireOld'>;
  drawJob: DrawJob;
  /** Printers follow the rule for webhooks. */
  webhookTargets: TargetRule;
  pace: number;
}

/** The dependencies that every channel gets. */
export type ChannelParts = WebhookParts & MailParts & PrinterParts;

export interface ChannelKind {
  rules: ChannelRules;
  open(parts: ChannelParts): Channel;
}
