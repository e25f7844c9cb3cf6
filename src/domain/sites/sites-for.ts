// The active sites that a user may work with: all sites for administrators, the assigned sites for operators.

import type { User, UserStore } from '../users/user.ts';
import type { Site, SiteStore } from './site.ts';

export type SitesFor = (user: User) => Promise<Site[]>;

interface Deps {
  sites: Pick<SiteStore, 'listActive'>;
  users: Pick<UserStore, 'siteIdsOf'>;
}

export function makeSitesFor({ sites, users }: Deps): SitesFor {
  return async function sitesFor({ id, role }) {
    const active = await sites.listActive();
    if (role === 'admin') return active;
    const own = new Set(await users.siteIdsOf(id));
    return active.filter((site) => own.has(site.id));
  };
}
