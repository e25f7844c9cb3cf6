// The sites that a user may work with: all sites for administrators, the assigned sites for operators. Also the sites of
// an API key.

import type { SiteId } from '../ids.ts';
import type { KeySites } from '../keys/api-key.ts';
import { UNKNOWN } from '../unknown-value.ts';
import type { User, UserStore } from '../users/user.ts';
import type { Site, SiteStore } from './site.ts';

/** Returns only active sites. */
export type SitesFor = (user: User) => Promise<Site[]>;

interface Deps {
  sites: Pick<SiteStore, 'listActive'>;
  users: Pick<UserStore, 'siteIdsOf'>;
}

export function makeSitesFor({ sites, users }: Deps): SitesFor {
  return async function sitesFor({ id, role }) {
    const active = await sites.listActive();
    if (role === 'admin') return active;
    if (role === UNKNOWN) return [];
    const own = new Set(await users.siteIdsOf(id));
    return active.filter((site) => own.has(site.id));
  };
}

/** Whether the user has all of these sites, active or not. */
export type HasSites = (user: Pick<User, 'id' | 'role'>, siteIds: SiteId[]) => Promise<boolean>;

export function makeHasSites({ users }: Pick<Deps, 'users'>): HasSites {
  return async function hasSites({ id, role }, siteIds) {
    if (role === 'admin') return true;
    if (role === UNKNOWN) return false;
    const own = new Set(await users.siteIdsOf(id));
    return siteIds.every((siteId) => own.has(siteId));
  };
}

/** The sites whose vouchers an API key may see, active or not. */
export async function siteIdsOfKey(keySites: KeySites, sites: Pick<SiteStore, 'list'>): Promise<SiteId[]> {
  return keySites === 'all' ? (await sites.list()).map(({ id }) => id) : [...keySites];
}
