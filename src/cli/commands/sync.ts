// `gastpass sync`: syncs voucher usage from the controllers now, without waiting for the next sync of the service.

import { toOneLine } from '../../domain/one-line.ts';
import { fail } from '../../domain/result.ts';
import { type Command, CommandFailed, textOption } from '../command.ts';
import { printJson, printTable } from '../print.ts';
import { findSite, readSiteId } from '../read-site-id.ts';
import { withInstallation } from '../with-installation.ts';

export const sync: Command = {
  name: 'sync',
  summary: 'Read the usage of vouchers from the controllers now, for all active sites or for one.',
  usage: '[--site ID]',
  options: { site: { type: 'string' } },
  positionals: [],
  prints: true,
  async run(args) {
    const text = textOption(args, 'site');
    const id = text === undefined ? undefined : readSiteId(text);
    const rows = await withInstallation(async (installation) => {
      const chosen =
        id === undefined ? await installation.sites.listActive() : [await findSite(installation, id)];
      const { makeSyncUseCases } = await import('../../app/sync-use-cases.ts');
      const { syncSite } = makeSyncUseCases(installation);
      return Promise.all(
        chosen.map(async (site) => {
          const synced = (await syncSite(site, new AbortController().signal).catch(toFailure)) ?? BUSY;
          const tally = synced.ok
            ? synced.value
            : { listed: null, changed: null, gone: null, imported: null };
          return {
            id: site.id,
            name: site.name,
            ...tally,
            problem: synced.ok ? null : toOneLine(synced.problem.text),
          };
        }),
      );
    });
    if (args.values.json) printJson(rows);
    else printTable(rows, 'No active sites. See gastpass sites list');
    const failed = rows.filter(({ problem }) => problem !== null).length;
    if (failed > 0)
      throw new CommandFailed(
        `${failed} of ${rows.length} ${rows.length === 1 ? 'site' : 'sites'} not synced`,
      );
  },
};

const BUSY = fail({ text: 'another process is syncing this site' });

/** An exception during the sync of one site becomes a failed row, so that the results of all sites are printed. */
function toFailure(error: unknown) {
  return fail({ text: toOneLine(error instanceof Error ? error.message : String(error)) });
}
