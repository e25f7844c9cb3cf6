// Finds the profile that an option gives by name or number.

import { CommandFailed } from '../../platform/cli/command.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { SiteId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import { isFor, type Profile } from './profile.ts';

export async function findProfile(
  { profiles }: Pick<Installation, 'profiles'>,
  siteId: SiteId,
  text: string,
): Promise<Profile> {
  const offered = (await profiles.list()).filter((profile) => isFor(profile, [siteId]));
  const named = offered.filter(({ name }) => name === text);
  const [found, ...others] = named.length > 0 ? named : offered.filter(({ id }) => String(id) === text);
  if (found && others.length === 0) return found;
  const list = offered.map(({ id, name }) => `${id} ${toOneLine(name)}`).join(', ');
  throw new CommandFailed(
    found
      ? `several profiles have this name: give the number of one of them (${list})`
      : `the site has no such profile; it has: ${list || 'none'}`,
  );
}
