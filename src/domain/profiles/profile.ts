// A profile: named presets of uses, validity and limits, for all sites or some. And what is needed of its store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { AccessLimits } from '../controller.ts';
import type { ProfileId, SiteId } from '../ids.ts';

export interface NewProfile extends AccessLimits {
  name: string;
  /** Empty for all sites. */
  siteIds: SiteId[];
}

export interface Profile extends NewProfile {
  id: ProfileId;
}

export interface ProfileStore {
  /** By name. */
  list(): Promise<Profile[]>;
  add(profile: NewProfile, audit: AuditContext): Promise<ProfileId>;
  change(id: ProfileId, profile: NewProfile, audit: AuditContext): Promise<boolean>;
  remove(id: ProfileId, audit: AuditContext): Promise<boolean>;
}

/** Is it offered to somebody who has these sites? */
export function isFor({ siteIds }: Profile, sites: SiteId[]): boolean {
  return siteIds.length === 0 || siteIds.some((id) => sites.includes(id));
}
