// Finds the objects that audit entries refer to and that still exist. The page shows their names and links to them.

import type { KeySummary } from '../../keys/key-records.ts';
import type { AuditedThing, PageContext } from '../../pages/context.ts';
import type { Profile } from '../../profiles/profile.ts';
import type { Site } from '../../sites/site.ts';
import type { User } from '../../users/user.ts';
import type { FoundEntry } from '../audit-log.ts';

/** The keys of the maps are the ids of the objects. */
export interface Known {
  sites: Map<string, Site>;
  users: Map<string, User>;
  keys: Map<string, KeySummary>;
  profiles: Map<string, Profile>;
  /** Things of features, by the noun and the id, such as `webhook 3`. */
  things: Map<string, AuditedThing>;
  /** The codes of vouchers, by the id of the voucher. */
  codes: Map<string, string>;
  batches: Set<string>;
}

export async function findKnown(context: PageContext, entries: FoundEntry[]): Promise<Known> {
  const { app, slots } = context;
  const vouchers = new Set(entries.flatMap(({ details }) => details?.voucher ?? []));
  const voucherIds = [...vouchers].map(Number).filter(Number.isSafeInteger);
  const batchIds = new Set(entries.flatMap(({ details }) => details?.batch?.id ?? []));
  const [sites, users, keys, profiles, things, codes, batches] = await Promise.all([
    app.sites.list(),
    app.users.list(),
    app.keys.list(),
    app.profiles.list(),
    Promise.all(slots.map(({ auditedThings }) => auditedThings?.(context) ?? [])),
    app.auditedVouchers.codesOf(voucherIds),
    app.auditedVouchers.existingBatches([...batchIds]),
  ]);
  return {
    sites: byId(sites),
    users: byId(users),
    keys: byId(keys),
    profiles: byId(profiles),
    things: new Map(things.flat().map((thing) => [`${thing.noun} ${thing.id}`, thing])),
    codes,
    batches,
  };
}

function byId<Thing extends { id: string | number }>(things: Thing[]): Map<string, Thing> {
  return new Map(things.map((thing) => [String(thing.id), thing]));
}
