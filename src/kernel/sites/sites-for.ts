// The sites that a user may work with: all sites for administrators, the assigned sites for operators. Also the sites
// of an API key, and whether a user or key may order at a site.

import type { Clock } from '../../platform/time/clock.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Actor } from '../audit/actor.ts';
import { asKeyId, type SiteId } from '../ids.ts';
import { includesSite, type KeySites } from '../keys/api-key.ts';
import type { KeyStore } from '../keys/key-records.ts';
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

/** Whether whoever has ordered something may still order at the site: keys are revoked, and users deactivated. */
export type MayOrder = (actor: Actor, siteId: SiteId) => Promise<boolean>;

interface OrderDeps {
  keys: Pick<KeyStore, 'find'>;
  users: Pick<UserStore, 'list' | 'siteIdsOf'>;
  clock: Clock;
}

export function makeMayOrder({ keys, users, clock }: OrderDeps): MayOrder {
  const hasSites = makeHasSites({ users });

  return async function mayOrder({ kind, id }, siteId) {
    if (kind === 'user') {
      const user = (await users.list()).find((one) => String(one.id) === id);
      return user?.active === true && hasSites(user, [siteId]);
    }
    const key = await keys.find(asKeyId(id ?? ''));
    if (!key || key.revoked || key.scope !== 'write' || !includesSite(key.sites, siteId)) return false;
    return key.expiresAtMs === null || clock.nowMs() < key.expiresAtMs;
  };
}
