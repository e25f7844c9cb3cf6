// What an administrator has decided for the whole installation: its look, how long things are kept, who
// needs a second factor. And its pictures.

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
}

export const FIRST_HOUSE: House = {
  title: 'Gastpass',
  language: null,
  keepVouchersDays: null,
  keepAuditDays: null,
  secondFactorFor: 'nobody',
  isApiPageOpen: true,
};

export interface HouseStore {
  read(): Promise<House>;
  change(change: Partial<House>, audit: { actor: string; atMs: number }): Promise<void>;
}

/** The installation's own, or a site's. */
export type ImageName = 'logo' | `site-${SiteId}`;

export interface Image {
  type: 'image/png' | 'image/jpeg';
  bytes: Buffer;
}

export interface ImageStore {
  find(name: ImageName): Promise<Image | undefined>;
  save(name: ImageName, image: Image, audit: { actor: string; atMs: number }): Promise<void>;
  /** False when there was none. */
  remove(name: ImageName, audit: { actor: string; atMs: number }): Promise<boolean>;
}
