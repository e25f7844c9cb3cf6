// Syncs sites for a command: all active sites, or the one that `--site` names. A site that fails becomes a row with the
// reason, so that the results of all sites are printed.

import { type Arguments, CommandFailed, type CommandTools } from '../../platform/cli/command.ts';
import { printJson, printTable } from '../../platform/cli/print.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { fail } from '../../platform/values/result.ts';
import type { Installation } from '../installation.ts';
import type { Site } from './site.ts';
import { findSite, readSiteIdOption } from './site-id-option.ts';

interface SyncedSite extends Record<string, unknown> {
  id: number;
  name: string;
  listed: number | null;
  changed: number | null;
  gone: number | null;
  imported: number | null;
  problem: string | null;
}

/** `asWanted` returns the site with the settings for this sync. The stored site does not change. */
export async function syncSites(
  args: Arguments,
  { withInstallation }: CommandTools,
  asWanted: (site: Site) => Site = (site) => site,
): Promise<SyncedSite[]> {
  const text = args.text('site');
  const id = text === undefined ? undefined : readSiteIdOption(text);
  return withInstallation(async (installation) => {
    const chosen =
      id === undefined ? await installation.sites.listActive() : [await findSite(installation, id)];
    return sync(installation, chosen.map(asWanted));
  });
}

async function sync(installation: Installation, sites: Site[]): Promise<SyncedSite[]> {
  const { makeSyncUseCases } = await import('../vouchers/sync-use-cases.ts');
  const { syncSite } = makeSyncUseCases(installation);
  return Promise.all(
    sites.map(async (site) => {
      const synced = (await syncSite(site, new AbortController().signal).catch(toFailure)) ?? BUSY;
      const { listed, changed, gone, imported } = synced.ok
        ? synced.value
        : { listed: null, changed: null, gone: null, imported: null };
      return {
        id: site.id,
        name: site.name,
        ...{ listed, changed, gone, imported },
        problem: synced.ok ? null : toOneLine(synced.problem.text),
      };
    }),
  );
}

const BUSY = fail({ text: 'another process is syncing this site' });

function toFailure(error: unknown) {
  return fail({ text: toOneLine(error instanceof Error ? error.message : String(error)) });
}

/** Throws after printing if a site could not be synced. */
export function printSynced(
  rows: (Record<string, unknown> & Pick<SyncedSite, 'problem'>)[],
  args: Arguments,
): void {
  if (args.has('json')) printJson(rows);
  else printTable(rows, 'No active sites. See gastpass sites list');
  const failed = rows.filter(({ problem }) => problem !== null).length;
  if (failed > 0)
    throw new CommandFailed(`${failed} of ${rows.length} ${rows.length === 1 ? 'site' : 'sites'} not synced`);
}
