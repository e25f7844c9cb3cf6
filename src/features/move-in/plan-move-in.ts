// Decides which sites, users, grants and keys of another tool are moved in. What cannot be taken over is left out and
// named in a remark. Users who already exist here are recognised only when the data are written.

import type { MovedInData, MovedInGrant, MovedInKey, MovedInSite } from './moved-in-data.ts';
import type { Remarks } from './report.ts';

export type Plan = Pick<MovedInData, 'sites' | 'users' | 'grants' | 'keys'>;

export function planMoveIn(data: Plan, remarks: Remarks): Plan {
  const once = firstOfEach(data.sites, 'id', (site) =>
    remarks.add('sites', 'left out: the id is there twice', named(site)),
  );
  const sites = withoutTwins(once, remarks);
  const users = firstOfEach(data.users, 'email', ({ email }) =>
    remarks.add('users', 'left out: another user has the same e-mail address', email),
  );
  const keys = withoutSharedPrefixes(data.keys, remarks);
  return { sites, users, grants: validGrants(data.grants, { sites, users }, remarks), keys };
}

const named = ({ id, name }: { id: number; name: string }) => `${id} (${name})`;

/** Keeps only the first of the items that have the same value in the field. */
function firstOfEach<Item>(items: Item[], field: keyof Item, onRepeated: (item: Item) => void): Item[] {
  const known = new Set<unknown>();
  return items.filter((item) => {
    const isNew = !known.has(item[field]);
    known.add(item[field]);
    if (!isNew) onRepeated(item);
    return isNew;
  });
}

/**
 * Keeps only one of several sites that use the same site of a console, because they would claim each other's vouchers.
 * Prefers an active site.
 */
function withoutTwins(sites: MovedInSite[], remarks: Remarks): MovedInSite[] {
  const sorted = sites.toSorted(
    (one, other) => Number(other.wasActive) - Number(one.wasActive) || one.id - other.id,
  );
  const kept = new Map<string, MovedInSite>();
  for (const site of sorted) {
    const place = JSON.stringify([site.url, site.controllerSite]);
    const twin = kept.get(place);
    if (twin)
      remarks.add(
        'sites',
        `left out with its vouchers: site ${twin.id} uses the same site of the console. Clients must send site_id ${twin.id}`,
        named(site),
      );
    else kept.set(place, site);
  }
  return [...kept.values()].toSorted((one, other) => one.id - other.id);
}

/** Leaves out all keys that share a prefix, because a key is looked up by its prefix. */
function withoutSharedPrefixes(keys: MovedInKey[], remarks: Remarks): MovedInKey[] {
  const byPrefix = Map.groupBy(keys, ({ prefix }) => prefix);
  return keys.filter(({ name, prefix }) => {
    const isAlone = byPrefix.get(prefix)?.length === 1;
    if (!isAlone)
      remarks.add(
        'api_keys',
        `left out: several keys begin with uvt_${prefix}. Create new keys for their clients`,
        name,
      );
    return isAlone;
  });
}

function validGrants(
  grants: MovedInGrant[],
  { sites, users }: Pick<Plan, 'sites' | 'users'>,
  remarks: Remarks,
): MovedInGrant[] {
  const siteIds = new Set(sites.map(({ id }) => id));
  const userIds = new Set(users.map(({ id }) => id));
  return grants.filter(({ userId, siteId }) => {
    const isValid = siteIds.has(siteId) && userIds.has(userId);
    if (!isValid)
      remarks.add(
        'user_site_access',
        'left out: the user or the site is not there',
        `user ${userId}, site ${siteId}`,
      );
    return isValid;
  });
}
