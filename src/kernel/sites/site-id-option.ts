// Parses a site id given on the command line, and finds the site.

import { CommandFailed, WrongUsage } from '../../platform/cli/command.ts';
import { asSiteId, type SiteId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { Site } from './site.ts';

export function readSiteIdOption(text: string): SiteId {
  if (!/^[1-9]\d{0,9}$/.test(text))
    throw new WrongUsage(`"${text}" is not a site id; see gastpass sites list`);
  return asSiteId(Number(text));
}

export async function findSite({ sites }: Installation, id: SiteId): Promise<Site> {
  const site = await sites.find(id);
  if (!site) throw new CommandFailed(`there is no site ${id}; see gastpass sites list`);
  return site;
}
