// Sets how many vouchers a site keeps in reserve, and with which profile they are made.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { Controller } from '../../kernel/controllers/controller.ts';
import type { ProfileId } from '../../kernel/ids.ts';
import { isFor, type Profile, type ProfileStore } from '../../kernel/profiles/profile.ts';
import type { Site } from '../../kernel/sites/site.ts';
import { findOutOfBounds } from '../../kernel/vouchers/voucher-order.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { ReserveStore } from './reserve.ts';
import { MAX_RESERVE } from './stock.ts';

/** Absent settings stay as they are. A profile of null means the default limits. */
export interface TypedReserve {
  wanted?: number;
  profileId?: ProfileId | null;
}

export type ReserveIssue =
  | 'wanted-out-of-range'
  /** There is no such profile, or it is for other sites. */
  | 'profile-not-found'
  /** The vouchers of this profile end at a check-out. Nobody knows yet when a voucher made ahead should end. */
  | 'profile-for-nights'
  | 'profile-out-of-bounds';

export type SetReserve = (
  site: Site,
  typed: TypedReserve,
  by: AuditContext,
) => Promise<Result<undefined, ReserveIssue>>;

interface Deps {
  reserves: Pick<ReserveStore, 'find' | 'set'>;
  profiles: Pick<ProfileStore, 'list'>;
  controllerOf: (site: Site) => Pick<Controller, 'bounds'>;
}

export function makeSetReserve({ reserves, profiles, controllerOf }: Deps): SetReserve {
  return async function setReserve(site, typed, by) {
    const before = await reserves.find(site.id);
    const { wanted, profileId } = { ...before, ...typed };
    if (!Number.isInteger(wanted) || wanted < 0 || wanted > MAX_RESERVE) return fail('wanted-out-of-range');
    // A reserve can be switched off although its profile was removed in the meantime.
    const isChecked = wanted > 0 || typed.profileId !== undefined;
    const issue = isChecked && profileId !== null ? await findProfileIssue(site, profileId) : undefined;
    if (issue) return fail(issue);
    await reserves.set({ siteId: site.id, wanted, profileId }, by);
    return ok(undefined);
  };

  async function findProfileIssue(site: Site, id: ProfileId): Promise<ReserveIssue | undefined> {
    const profile = (await profiles.list()).find((one) => one.id === id);
    if (!profile || !isFor(profile, [site.id])) return 'profile-not-found';
    if (!canBeMadeAhead(profile)) return 'profile-for-nights';
    return findOutOfBounds(profile, controllerOf(site).bounds) && 'profile-out-of-bounds';
  }
}

/** Vouchers for nights end at a check-out that is only known when they are handed out. */
export function canBeMadeAhead({ nights }: Pick<Profile, 'nights'>): boolean {
  return nights === undefined;
}
