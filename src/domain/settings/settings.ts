// What an administrator has decided for the whole installation: its look, how long things are kept, who
// needs a second factor. What may be decided. And its pictures.

import { hash } from 'node:crypto';
import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';

export interface Settings {
  /** Stands where the product's name would. */
  title: string;
  /** For whoever has not chosen one; null lets the browser decide. */
  language: 'de' | 'en' | null;
  /** Null keeps them for ever. */
  keepVouchersDays: number | null;
  keepAuditDays: number | null;
  secondFactorFor: 'nobody' | 'admins' | 'everyone';
  /** Whether the page for integrators is shown to those who are not signed in. */
  isApiPageOpen: boolean;
  /** Changes with the logo; null without one. */
  logoVersion: string | null;
}

export const DEFAULT_SETTINGS: Settings = {
  title: 'Gastpass',
  language: null,
  keepVouchersDays: null,
  keepAuditDays: null,
  secondFactorFor: 'nobody',
  isApiPageOpen: true,
  logoVersion: null,
};

const MAX_TITLE_LENGTH = 40;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function titleIssue(title: string): 'missing' | 'too-long' | 'not-plain' | undefined {
  if (title.trim() === '') return 'missing';
  if ([...title].length > MAX_TITLE_LENGTH) return 'too-long';
  return INVISIBLE.test(title) ? 'not-plain' : undefined;
}

/** Whatever still refers to a voucher is over by then: remembered answers, intents, what is being printed. */
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

/** The installation's own, or a site's. */
export type ImageName = 'logo' | `site-${SiteId}`;

export interface Image {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
}

/** Part of an image's address, so that a browser may keep what it has. */
export function versionOf({ bytes }: Image): string {
  return hash('sha256', bytes).slice(0, 16);
}

export interface ImageStore {
  find(name: ImageName): Promise<Image | undefined>;
  save(name: ImageName, image: Image, audit: AuditContext): Promise<void>;
  /** False when there was none. */
  remove(name: ImageName, audit: AuditContext): Promise<boolean>;
}
