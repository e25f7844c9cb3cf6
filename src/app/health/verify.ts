// Verifies the data of an installation: the database is intact, all sealed values can be opened, and the records agree
// with the controllers. Changes nothing.

import type { Config } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { toOneLine } from '../../domain/one-line.ts';
import type { Site } from '../../domain/sites/site.ts';
import { makeCompareSite } from '../../domain/vouchers/compare-site.ts';
import { checkIntegrity } from '../../storage/integrity.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { type Finding, fault, ok, reasonOf, sayNames, warning } from './finding.ts';

const MAX_NAMED = 5;
/** For the complete list of a large site. */
const MAX_READING_MS = 10 * 60_000;

export async function verifyInstallation(config: Config): Promise<Finding[]> {
  const installation = await openInstallation(config, systemClock, { schema: 'expect' });
  try {
    const findings = [...(await verifyDatabase(config)), ...(await verifySealed(installation))];
    // With values that cannot be opened, reading the sites would fail.
    if (findings.some(({ state, about }) => state === 'fault' && about === 'sealed values')) return findings;
    const sites = await installation.sites.listActive();
    const compared = await Promise.all(sites.map((site) => verifySite(installation, site)));
    return [...findings, ...compared.flat()];
  } finally {
    await installation.close();
  }
}

async function verifyDatabase(config: Config): Promise<Finding[]> {
  try {
    const { rows, defects } = await checkIntegrity(config);
    if (defects.length === 0)
      return [ok('database', `${rows.toLocaleString('en')} rows read, no defect found`)];
    return defects.map((defect) => fault('database', `${toOneLine(defect)}: restore the last backup`));
  } catch (error) {
    return [
      fault('database', `cannot be read completely (${toOneLine(reasonOf(error))}): restore the last backup`),
    ];
  }
}

async function verifySealed({ tallySealedValues }: Installation): Promise<Finding[]> {
  const { broken, count } = await tallySealedValues();
  if (broken.length > 0) return broken.map((text) => fault('sealed values', text));
  return [ok('sealed values', `the secret opens all ${count}`)];
}

async function verifySite(installation: Installation, site: Site): Promise<Finding[]> {
  const about = `site ${site.id} (${site.name})`;
  const compared = await makeCompareSite(installation)(site, AbortSignal.timeout(MAX_READING_MS));
  if (!compared.ok)
    return [fault(about, `could not be compared: ${toOneLine(compared.problem.text)}; see gastpass doctor`)];
  const { listed, recorded, missing, unrecorded } = compared.value;
  const findings: Finding[] = [];
  const sync = `gastpass sync --site ${site.id}`;
  if (missing.length > 0)
    findings.push(
      fault(
        about,
        `${countOf(missing.length, 'voucher is', 'vouchers are')} valid in the records but not on the controller (${sayNames(
          missing.map((id) => `id ${id}`),
          MAX_NAMED,
        )}): ${recorded > 0 ? `${sync} ends them here; create new ones for their guests` : `it has ${listed > 0 ? 'none of the recorded vouchers' : 'no vouchers at all'}, so check that the site is the right one with gastpass sites test ${site.id}`}`,
      ),
    );
  if (unrecorded.length > 0)
    findings.push(
      warning(
        about,
        `${countOf(unrecorded.length, 'voucher is', 'vouchers are')} on the controller but not in the records (${sayNames(unrecorded.map(toOneLine), MAX_NAMED)}): ${site.importsForeign ? `${sync} imports them` : `the site does not import them (gastpass vouchers import --site ${site.id} does it once)`}`,
      ),
    );
  if (findings.length === 0)
    findings.push(
      ok(about, `${countOf(listed, 'voucher', 'vouchers')} on the controller, the records agree`),
    );
  return findings;
}

const countOf = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
