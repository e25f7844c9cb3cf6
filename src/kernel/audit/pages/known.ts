// Finds the objects that audit entries refer to and that still exist. The page shows their names and links to them.

import type { Webhook } from '../../../features/webhooks/webhook.ts';
import type { KeySummary } from '../../keys/key-records.ts';
import type { PageContext } from '../../pages/context.ts';
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
  webhooks: Map<string, Webhook>;
  /** The codes of vouchers, by the id of the voucher. */
  codes: Map<string, string>;
  batches: Set<string>;
}

export async function findKnown({ app }: PageContext, entries: FoundEntry[]): Promise<Known> {
  const vouchers = new Set(entries.flatMap(({ details }) => details?.voucher ?? []));
  const voucherIds = [...vouchers].map(Number).filter(Number.isSafeInteger);
  const batchIds = new Set(entries.flatMap(({ details }) => details?.batch?.id ?? []));
  const [sites, users, keys, profiles, webhooks, codes, batches] = await Promise.all([
    app.sites.list(),
    app.users.list(),
    app.keys.list(),
    app.profiles.list(),
    app.webhooks.list(),
    app.auditedVouchers.codesOf(voucherIds),
    app.auditedVouchers.existingBatches([...batchIds]),
  ]);
  return {
    sites: byId(sites),
    users: byId(users),
    keys: byId(keys),
    profiles: byId(profiles),
    webhooks: byId(webhooks),
    codes,
    batches,
  };
}

function byId<Thing extends { id: string | number }>(things: Thing[]): Map<string, Thing> {
  return new Map(things.map((thing) => [String(thing.id), thing]));
}
