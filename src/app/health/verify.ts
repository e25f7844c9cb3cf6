// Verifies the data of an installation for `gastpass verify`. Changes nothing.

import type { Config } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { errorReason } from '../../domain/database-error.ts';
import type { AnyFinding } from '../../domain/health/finding.ts';
import { judgeRecords, type RecordFacts } from '../../domain/health/judge-records.ts';
import { makeCompareSite } from '../../domain/vouchers/compare-site.ts';
import { checkIntegrity } from '../../storage/integrity.ts';
import { type Installation, openInstallation } from '../installation.ts';

/** The time limit for reading the complete voucher list of a large site. */
const MAX_READING_MS = 10 * 60_000;

export async function verifyInstallation(config: Config): Promise<AnyFinding[]> {
  const installation = await openInstallation(config, systemClock, { schema: 'expect' });
  try {
    const database = await checkIntegrity(config).catch((error) => ({ unreadable: errorReason(error) }));
    const sealed = await installation.tallySealedValues();
    // If a sealed value cannot be opened, reading the sites would fail, so they are not compared.
    const sites = sealed.broken.length > 0 ? [] : await compareSites(installation);
    return judgeRecords({ database, sealed, sites });
  } finally {
    await installation.close();
  }
}

async function compareSites(installation: Installation): Promise<RecordFacts['sites']> {
  const compareSite = makeCompareSite(installation);
  const sites = await installation.sites.listActive();
  return Promise.all(
    sites.map(async (site) => ({
      site,
      compared: await compareSite(site, AbortSignal.timeout(MAX_READING_MS)),
    })),
  );
}
