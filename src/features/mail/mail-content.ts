// The content of a mail with a voucher: the facts it is made of, and the finished mail. Rendering is in
// `channels/mail/`.

import type { VoucherLimits } from '../../kernel/controllers/controller.ts';
import type { SiteId } from '../../kernel/ids.ts';
import type { Image } from '../../kernel/settings/settings.ts';
import type { Voucher } from '../../kernel/vouchers/voucher.ts';
import type { Language } from '../../platform/text/language.ts';
import type { MailTexts } from './custom-mail-text.ts';

export interface RenderedMail {
  /** On one line. */
  subject: string;
  text: string;
  html: string;
  images: MailImage[];
}

/** An image that the HTML shows by `cid:`. */
export interface MailImage {
  cid: string;
  /** The name of the file. */
  name: string;
  type: string;
  bytes: Buffer;
}

export interface VoucherMailFacts {
  language: Language;
  siteName: string;
  /** An empty text stands for the default. */
  texts: MailTexts;
  /** The name of the voucher, as it was given. */
  name: string;
  /** The voucher code in groups of digits. */
  code: string;
  /** Null if slips show no Wi-Fi. */
  wifi: MailedWifi | null;
  steps: string[];
  /** The slip's own text; may have several lines. */
  slipText: string;
  /** How long the voucher is valid, for the placeholder `{until}`: "until Fri 20 Nov, 11:00". */
  until: string;
  /** What the voucher allows, one fact per line. The first line says how long. */
  validity: string[];
  guestPageUrl: string | null;
  logo: Image | null;
  /** True if the logo shows the name of the site. */
  logoHasName: boolean;
  /** As `#rrggbb`; null if the site has chosen none. */
  colour: string | null;
  /** True if the voucher opens no Wi-Fi. */
  isDemo: boolean;
}

export interface MailedWifi {
  name: string;
  password: string | null;
  /** The text of the QR code with which a phone joins the Wi-Fi; null if there is none. */
  qrText: string | null;
}

/** A voucher with everything that its mail says about it. */
export interface MailedVoucher extends Voucher, VoucherLimits {
  siteId: SiteId;
  siteName: string;
  /** Null for the time zone of the service. */
  siteTimeZone: string | null;
  isDemo: boolean;
}

export interface WantedMail {
  /** Absent for the first language of the site. */
  language?: Language | undefined;
  guestPageUrl: string | null;
  /** Texts that are not saved yet, for a preview. Absent for the saved ones. */
  texts?: Partial<Record<Language, MailTexts>>;
}

/** Writes the mail of a voucher as its site has set it up. */
export type WriteVoucherMail = (
  voucher: MailedVoucher,
  wanted: WantedMail,
) => Promise<{ language: Language; content: RenderedMail }>;
