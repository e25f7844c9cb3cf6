// The settings that an administrator edits for the whole installation: appearance, retention, who needs a second
// factor, who helps, the public address. Also defines which settings are valid, and the images of the installation and
// its sites.

import { hash } from 'node:crypto';
import { hasInvisible } from '../../platform/text/invisible.ts';
import type { Language } from '../../platform/text/language.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';

export interface Settings {
  /** Shown in place of the product's name. */
  title: string;
  /** The language for users who have not chosen one. Null means that the browser's language decides. */
  language: Language | null;
  /** How many days ended vouchers and audit entries are kept. Null means that they are kept for ever. */
  keepVouchersDays: number | null;
  keepAuditDays: number | null;
  /** Whether the number of rows that retention deletes per day is limited; see `deletion-limit.ts`. */
  limitsDeletions: boolean;
  secondFactorFor: 'nobody' | 'admins' | 'everyone';
  /** Whether the API documentation is shown to users who are not signed in. */
  isApiPageOpen: boolean;
  /** If false, users enter no voucher names: all vouchers created in the web interface get the same neutral name. */
  asksForNames: boolean;
  /** Whether IP addresses in the audit log are shortened to their network after some days. */
  shortensIps: boolean;
  areFirstStepsHidden: boolean;
  /** Whom users can ask for help when something fails. Empty texts are not shown. */
  helperName: string;
  helperPhone: string;
  /** A text that changes whenever the logo changes; null without a logo. */
  logoVersion: string | null;
  /** The public address, if it was set in the browser; see `public-url.ts`. */
  publicUrl: string | null;
}

export const DEFAULT_SETTINGS: Settings = {
  title: 'Gastpass',
  language: null,
  keepVouchersDays: null,
  keepAuditDays: null,
  limitsDeletions: true,
  secondFactorFor: 'nobody',
  isApiPageOpen: true,
  asksForNames: true,
  shortensIps: false,
  areFirstStepsHidden: false,
  helperName: '',
  helperPhone: '',
  logoVersion: null,
  publicUrl: null,
};

const MAX_TITLE_LENGTH = 40;

export function titleIssue(title: string): 'missing' | 'too-long' | 'not-plain' | undefined {
  if (title.trim() === '') return 'missing';
  if ([...title].length > MAX_TITLE_LENGTH) return 'too-long';
  return hasInvisible(title) ? 'not-plain' : undefined;
}

const MAX_HELPER_LENGTH = 60;

/** For the name or the phone number of the person who helps. Both may be empty. */
export function helperIssue(text: string): 'too-long' | 'not-plain' | undefined {
  if ([...text].length > MAX_HELPER_LENGTH) return 'too-long';
  return hasInvisible(text) ? 'not-plain' : undefined;
}

/** Vouchers are kept at least this long: stored idempotent responses, intents and print jobs may refer to them. */
export const MIN_VOUCHER_DAYS = 7;
export const MIN_AUDIT_DAYS = 30;
export const MAX_DAYS = 36_500;

export function isKeepingTime(days: number | null, fewest: number): boolean {
  return days === null || (Number.isInteger(days) && days >= fewest && days <= MAX_DAYS);
}

export interface SettingsStore {
  read(): Promise<Settings>;
  change(change: Partial<Omit<Settings, 'logoVersion'>>, audit: AuditContext): Promise<void>;
}

/** The logo of the installation, the logo of a site, or the picture that the kiosks of a site show. */
export type ImageName = 'logo' | `site-${SiteId}` | `screen-${SiteId}`;

export const IMAGE_TYPES = ['image/png', 'image/jpeg'] as const;

export interface Image {
  type: (typeof IMAGE_TYPES)[number];
  bytes: Buffer;
}

/** A part of the image's URL that changes with the image, so that browsers can cache the image. */
export function versionOf({ bytes }: Image): string {
  return hash('sha256', bytes).slice(0, 16);
}

export interface ImageStore {
  find(name: ImageName): Promise<Image | undefined>;
  /** Whether `find` would find the image. Does not read its bytes. */
  has(name: ImageName): Promise<boolean>;
  save(name: ImageName, image: Image, audit: AuditContext): Promise<void>;
  /** False if there was no image. */
  remove(name: ImageName, audit: AuditContext): Promise<boolean>;
}
