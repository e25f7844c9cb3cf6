// What a site's slips show besides the voucher: the Wi-Fi, steps for the guest and a text, in one or more languages;
// and how they look. Also defines which values are valid, and the store.

import { hasInvisible } from '../../platform/text/invisible.ts';
import type { Language } from '../../platform/text/language.ts';
import { type OrUnknown, UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { VoucherLimits } from '../controllers/controller.ts';
import type { SiteId, VoucherId } from '../ids.ts';
import type { Voucher } from '../vouchers/voucher.ts';

export const MAX_WIFI_NAME_BYTES = 32;
export const MIN_WIFI_PASSWORD_LENGTH = 8;
export const MAX_WIFI_PASSWORD_LENGTH = 63;
export const MAX_SLIP_TEXT_LENGTH = 300;
export const MAX_SLIP_LINES = 8;
export const MAX_STEPS_LENGTH = 300;
export const MAX_STEPS = 5;
/** Stands for the Wi-Fi name in the steps. */
export const WIFI_PLACEHOLDER = '{wifi}';

export const WIFI_SECURITIES = ['open', 'wpa'] as const;

/** The first theme is the default. */
export const SLIP_THEMES = ['classic', 'calm', 'strong'] as const;
export type SlipTheme = (typeof SLIP_THEMES)[number];
export const FIRST_COLOUR = '#000000';

export function isColour(text: string): boolean {
  return /^#[0-9a-f]{6}$/.test(text);
}

export interface SiteSlip {
  /** Empty if slips show no Wi-Fi. */
  wifiName: string;
  /** If the security is unknown, slips show no QR code for the Wi-Fi. */
  wifiSecurity: OrUnknown<(typeof WIFI_SECURITIES)[number]>;
  /** Null if guests get the password elsewhere, or need none. */
  wifiPassword: string | null;
  text: string;
  /** Without languages, slips are in the installation's language. */
  languages?: Language[];
  /** True if a newer release stored languages that this release does not know. Slips of this release leave them out. */
  hasUnknownLanguages?: true;
  /** Without a theme, slips have the first. If the theme is unknown, they are printed with the first as well. */
  theme?: OrUnknown<SlipTheme>;
  /** The colour of the theme `strong` and of the guest's page, as `#rrggbb`. By default black. */
  colour?: string;
  /** True if the logo shows the name of the site. The name is then not printed beside the logo. */
  logoHasName?: true;
  /** What the guest has to do, one step per line. For a language without an entry, the slip shows the default steps. */
  steps?: Partial<Record<Language, string>>;
}

export const FIRST_SLIP: SiteSlip = { wifiName: '', wifiSecurity: 'open', wifiPassword: null, text: '' };

/**
 * True if the slip certainly does not name the Wi-Fi. The administrator's own text and steps may name it, so both must
 * be empty.
 */
export function namesNoWifi({ wifiName, text, steps = {} }: SiteSlip): boolean {
  return wifiName === '' && text === '' && Object.keys(steps).length === 0;
}

/**
 * Whether a newer release stored values in the slip that this release cannot read. Saving the slip would overwrite
 * them.
 */
export function isUnknownSlip({ wifiSecurity, hasUnknownLanguages, theme }: SiteSlip): boolean {
  return wifiSecurity === UNKNOWN || hasUnknownLanguages === true || theme === UNKNOWN;
}

export const MAX_SLIPS = 500;

/** A voucher with everything that its slip shows. */
export interface SlipVoucher extends Voucher, VoucherLimits {
  id: VoucherId;
  siteId: SiteId;
  siteName: string;
  /** Null for the time zone of the service. */
  siteTimeZone: string | null;
  revokedAtS: number | null;
}

export interface SlipStore {
  /** The vouchers with these ids, as far as they belong to these sites. */
  findVouchers(wanted: { ids: VoucherId[]; siteIds: SiteId[] }): Promise<SlipVoucher[]>;
  /** Returns the default slip if no slip is stored for the site. */
  find(siteId: SiteId): Promise<SiteSlip>;
  save(siteId: SiteId, slip: SiteSlip, audit: AuditContext): Promise<void>;
}

export type SlipIssue = 'invisible' | 'too-long' | 'too-many-lines' | 'no-password' | 'no-wifi-name';

/** Devices limit the length of a Wi-Fi name in bytes, not in characters. */
export function issueOfWifiName(name: string): SlipIssue | undefined {
  if (hasInvisible(name)) return 'invisible';
  return Buffer.byteLength(name) > MAX_WIFI_NAME_BYTES ? 'too-long' : undefined;
}

/** Accepts a passphrase, or the Wi-Fi key itself as 64 hexadecimal digits. */
export function issueOfWifiPassword(password: string): SlipIssue | undefined {
  if (hasInvisible(password)) return 'invisible';
  if (/^[0-9a-f]{64}$/i.test(password)) return undefined;
  const length = [...password].length;
  return length < MIN_WIFI_PASSWORD_LENGTH || length > MAX_WIFI_PASSWORD_LENGTH ? 'no-password' : undefined;
}

export function issueOfSlipText(text: string): SlipIssue | undefined {
  return issueOfLines(text, { maxLength: MAX_SLIP_TEXT_LENGTH, maxLines: MAX_SLIP_LINES });
}

export function issueOfSteps(steps: string, wifiName: string): SlipIssue | undefined {
  if (wifiName === '' && steps.includes(WIFI_PLACEHOLDER)) return 'no-wifi-name';
  return issueOfLines(steps, { maxLength: MAX_STEPS_LENGTH, maxLines: MAX_STEPS });
}

function issueOfLines(
  text: string,
  { maxLength, maxLines }: { maxLength: number; maxLines: number },
): SlipIssue | undefined {
  if (hasInvisible(text.replaceAll('\n', ''))) return 'invisible';
  if ([...text].length > maxLength) return 'too-long';
  return text.split('\n').length > maxLines ? 'too-many-lines' : undefined;
}
