// Finds the objects that audit entries name, as far as they still exist: their names and whether a link leads anywhere.

import type { AuditedVouchers, FoundEntry } from '../../../domain/audit/audit-log.ts';
import { readAuditSubject } from '../../../domain/audit/audit-subject.ts';
import type { KeyStore, KeySummary } from '../../../domain/keys/key-store.ts';
import type { Profile, ProfileStore } from '../../../domain/profiles/profile.ts';
import type { Site, SiteStore } from '../../../domain/sites/site.ts';
import type { User, UserStore } from '../../../domain/users/user.ts';
import type { Webhook, WebhookStore } from '../../../domain/webhooks/webhook.ts';

/** By the id of the object. */
export interface Known {
  sites: Map<string, Site>;
  users: Map<string, User>;
  keys: Map<string, KeySummary>;
  profiles: Map<string, Profile>;
  webhooks: Map<string, Webhook>;
  /** The codes of vouchers. */
  codes: Map<string, string>;
  batches: Set<string>;
}

export interface KnownDeps {
  sites: Pick<SiteStore, 'list'>;
  users: Pick<UserStore, 'list'>;
  keys: Pick<KeyStore, 'list'>;
  profiles: Pick<ProfileStore, 'list'>;
  webhooks: Pick<WebhookStore, 'list'>;
  auditedVouchers: AuditedVouchers;
}

export async function findKnown(deps: KnownDeps, entries: FoundEntry[]): Promise<Known> {
  const { auditedVouchers } = deps;
  const things = entries.map(({ action, subject }) => readAuditSubject(action, subject)?.things);
  const idsOf = (kind: 'voucher' | 'batch') => [
    ...new Set(things.flatMap((thing) => thing?.[kind]?.id ?? [])),
  ];
  const voucherIds = idsOf('voucher').map(Number).filter(Number.isSafeInteger);
  const [sites, users, keys, profiles, webhooks, codes, batches] = await Promise.all([
    deps.sites.list(),
    deps.users.list(),
    deps.keys.list(),
    deps.profiles.list(),
    deps.webhooks.list(),
    auditedVouchers.codesOf(voucherIds),
    auditedVouchers.existingBatches(idsOf('batch')),
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
