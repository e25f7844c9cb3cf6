// A profile: a named preset of uses, validity and limits, for all sites or for some. Also defines the store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { VoucherLimits } from '../controllers/controller.ts';
import type { ProfileId, SiteId } from '../ids.ts';

export interface NewProfile extends VoucherLimits {
  name: string;
  /** Empty means all sites. */
  siteIds: SiteId[];
  /** How many nights the vouchers last. They end at the site's check-out time; `expireMinutes` is then not used. */
  nights?: number;
}

export interface Profile extends NewProfile {
  id: ProfileId;
}

export interface ProfileStore {
  /** Sorted by name. */
  list(): Promise<Profile[]>;
  add(profile: NewProfile, audit: AuditContext): Promise<ProfileId>;
  change(id: ProfileId, profile: NewProfile, audit: AuditContext): Promise<boolean>;
  remove(id: ProfileId, audit: AuditContext): Promise<boolean>;
}

/** Whether the profile is offered to a user who has these sites. */
export function isFor({ siteIds }: Profile, sites: SiteId[]): boolean {
  return siteIds.length === 0 || siteIds.some((id) => sites.includes(id));
}
