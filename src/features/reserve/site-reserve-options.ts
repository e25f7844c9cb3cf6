// The options of `gastpass sites set` that are about the reserve of the site.

import { auditContext } from '../../kernel/command-tools.ts';
import type { Installation } from '../../kernel/installation.ts';
import { findProfile } from '../../kernel/profiles/profile-option.ts';
import type { Site } from '../../kernel/sites/site.ts';
import { type Arguments, CommandFailed } from '../../platform/cli/command.ts';
import { makeSetReserve, type ReserveIssue } from './set-reserve.ts';
import { MAX_RESERVE } from './stock.ts';

export const RESERVE_USAGE = '[--reserve N] [--reserve-profile PROFILE]';
export const RESERVE_OPTIONS = ['reserve', 'reserve-profile'] as const;
export const RESERVE_HELP = [
  `--reserve is how many vouchers are made ahead, for the time when the controller is away: 0 to ${MAX_RESERVE}; the default is 0.`,
  '--reserve-profile is the profile that they are made with, by name or number; "default" is one device for 8 hours.',
].join('\n');

export interface ReserveOptions {
  wanted?: number;
  profile?: string;
}

/** Undefined if the command does not change the reserve. */
export function readReserveOptions(args: Arguments): ReserveOptions | undefined {
  const wanted = args.integer('reserve', MAX_RESERVE);
  const profile = args.text('reserve-profile');
  if (wanted === undefined && profile === undefined) return undefined;
  return { ...(wanted !== undefined && { wanted }), ...(profile !== undefined && { profile }) };
}

/** Returns the function that changes the reserve. First checks that the profile exists. */
export async function prepareReserve(
  installation: Installation,
  site: Site,
  { wanted, profile }: ReserveOptions,
): Promise<() => Promise<void>> {
  const found =
    profile === undefined || profile === 'default' ? null : await findProfile(installation, site.id, profile);
  const typed = {
    ...(wanted !== undefined && { wanted }),
    ...(profile !== undefined && { profileId: found?.id ?? null }),
  };
  return async () => {
    const saved = await makeSetReserve(installation)(site, typed, auditContext(installation));
    if (!saved.ok) throw new CommandFailed(REASONS[saved.problem]);
  };
}

const REASONS: Record<ReserveIssue, string> = {
  'wanted-out-of-range': `--reserve: expected a number from 0 to ${MAX_RESERVE}`,
  'profile-not-found': 'the profile of the reserve was removed; choose another one with --reserve-profile',
  'profile-for-nights':
    '--reserve-profile: vouchers of this profile end at a check-out, so they cannot be made ahead',
  'profile-out-of-bounds':
    '--reserve-profile: the controller of this site does not allow the values of this profile',
};
