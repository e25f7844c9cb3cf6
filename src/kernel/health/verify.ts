// Verifies the data of an installation for `gastpass verify`. Changes nothing.

import type { CommandTools } from '../../platform/cli/command.ts';
import type { Config } from '../../platform/config/config.ts';
import { checkIntegrity } from '../../platform/database/integrity.ts';
import { errorReason } from '../../platform/values/database-error.ts';
import type { Installation } from '../installation.ts';
import { makeCompareSite } from '../vouchers/compare-site.ts';
import type { AnyFinding } from './finding.ts';
import { judgeRecords, type RecordFacts } from './judge-records.ts';

/** The time limit for reading the complete voucher list of a large site. */
const MAX_READING_MS = 10 * 60_000;

export async function verifyInstallation(
  config: Config,
  openExisting: CommandTools['openExisting'],
): Promise<AnyFinding[]> {
  const installation = await openExisting(config);
  try {
    const database = await checkIntegrity(config, await installation.loadTables()).catch((error) => ({
      unreadable: errorReason(error),
    }));
    const sealed = await installation.tallySealedValues();
    // If a sealed value cannot be opened, reading the sites would fail, so they are not compared.
    const sites = sealed.broken.length > 0 ? [] : await compareSites(installation);
    return judgeRecords({ database, sealed, sites });
  } finally {
    await installation.close();
  }
}

async function compareSites(installation: Installation): Promise<RecordFacts['sites']> {
  const { usage, vouchers, stockRecords: stock, controllerOf, clock } = installation;
  const compareSite = makeCompareSite({ usage, vouchers, stock, controllerOf, clock });
  const sites = await installation.sites.listActive();
  return Promise.all(
    sites.map(async (site) => ({
      site,
      compared: await compareSite(site, AbortSignal.timeout(MAX_READING_MS)),
    })),
  );
}
