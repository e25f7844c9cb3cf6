// What is deleted together with a site. Users see this list before they remove a site, and the audit log keeps it.

import { hashToken } from '../../platform/secrets/token.ts';

/** In the order in which they are listed. */
export const CONTENT_KINDS = [
  'vouchers',
  'batches',
  'profiles',
  'printers',
  'screens',
  'requests',
  'requestPages',
  'mailTexts',
  'slips',
  'pictures',
  'stock',
] as const;
export type ContentKind = (typeof CONTENT_KINDS)[number];

export interface SiteContents {
  /** Kinds of which the site has none are absent. */
  counts: Partial<Record<ContentKind, number>>;
  /** At most `MAX_NAMED` names of each kind. Requests and vouchers are left out, because they have names of guests. */
  names: Partial<Record<ContentKind, string[]>>;
}

export const MAX_NAMED = 20;

/** Decides whether the site may be removed with these contents. */
export type IsAgreed = (contents: SiteContents) => boolean;

export type SiteRemoval =
  | { kind: 'removed'; contents: SiteContents }
  /** Nothing was removed, or only vouchers of a demo, because the site has more than was agreed. */
  | { kind: 'not-agreed'; contents: SiteContents }
  /** The site is active, does not exist, or was used and is not a demo. */
  | { kind: 'refused' };

export function isEmpty({ counts }: SiteContents): boolean {
  return Object.keys(counts).length === 0;
}

/** Empty without contents. A form sends it along, so that only the contents that its page has shown are removed. */
export function fingerprintOf(contents: SiteContents): string {
  return isEmpty(contents) ? '' : hashToken(JSON.stringify(contents));
}

/** Whether there is more of a kind than before. */
export function hasGrown(before: SiteContents, now: SiteContents): boolean {
  return CONTENT_KINDS.some((kind) => (now.counts[kind] ?? 0) > (before.counts[kind] ?? 0));
}
