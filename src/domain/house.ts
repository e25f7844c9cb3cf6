// What an administrator has decided for the whole installation: its look, how long things are kept, who
// needs a second factor. What may be decided. And its pictures.

import { hash } from 'node:crypto';
import type { Doer } from './audit-log.ts';
import type { SiteId } from './ids.ts';

export interface House {
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

export const FIRST_HOUSE: House = {
  title: 'Gastpass',
  language: null,
  keepVouchersDays: null,
  keepAuditDays: null,
  secondFactorFor: 'nobody',
  isApiPageOpen: true,
  logoVersion: null,
};

const LONGEST_TITLE = 40;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

export function titleFault(title: string): 'missing' | 'too-long' | 'not-plain' | undefined {
  if (title.trim() === '') return 'missing';
  if ([...title].length > LONGEST_TITLE) return 'too-long';
  return INVISIBLE.test(title) ? 'not-plain' : undefined;
}

/** Whatever still refers to a voucher is over by then: remembered answers, intents, what is being printed. */
export const FEWEST_VOUCHER_DAYS = 7;
export const FEWEST_AUDIT_DAYS = 30;
export const MOST_DAYS = 36_500;

export function isKeepingTime(days: number | null, fewest: number): boolean {
  return days === null || (Number.isInteger(days) && days >= fewest && days <= MOST_DAYS);
}

export interface HouseStore {
  read(): Promise<House>;
  change(change: Partial<Omit<House, 'logoVersion'>>, audit: Doer): Promise<void>;
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
  save(name: ImageName, image: Image, audit: Doer): Promise<void>;
  /** False when there was none. */
  remove(name: ImageName, audit: Doer): Promise<boolean>;
}
