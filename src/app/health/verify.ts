// Verifies the data of an installation: the database is intact, all sealed values can be opened, and the records agree
// with the controllers. Changes nothing.

import type { Config } from '../../config/config.ts';
import { systemClock } from '../../domain/clock.ts';
import { reasonOf } from '../../domain/database-error.ts';
import type { Finding } from '../../domain/health/finding.ts';
import type { AnyFinding, TerminalFact } from '../../domain/health/terminal-fact.ts';
import { toOneLine } from '../../domain/one-line.ts';
import type { Site } from '../../domain/sites/site.ts';
import { makeCompareSite } from '../../domain/vouchers/compare-site.ts';
import { checkIntegrity } from '../../storage/integrity.ts';
import { type Installation, openInstallation } from '../installation.ts';
import { fault, ok, warning } from './finding.ts';

/** For the complete list of a large site. */
const MAX_READING_MS = 10 * 60_000;

export async function verifyInstallation(config: Config): Promise<AnyFinding[]> {
  const installation = await openInstallation(config, systemClock, { schema: 'expect' });
  try {
    const findings = [...(await verifyDatabase(config)), ...(await verifySealed(installation))];
    // With values that cannot be opened, reading the sites would fail.
    if (findings.some(({ fact }) => fact.kind === 'sealed-broken')) return findings;
    const sites = await installation.sites.listActive();
    const compared = await Promise.all(sites.map((site) => verifySite(installation, site)));
    return [...findings, ...compared.flat()];
  } finally {
    await installation.close();
  }
}

async function verifyDatabase(config: Config): Promise<Finding<TerminalFact>[]> {
  try {
    const { rows, defects } = await checkIntegrity(config);
    if (defects.length === 0) return [ok({ kind: 'rows-ok', rows })];
    return defects.map((defect) => fault({ kind: 'rows-defect', detail: toOneLine(defect) }));
  } catch (error) {
    return [fault({ kind: 'rows-unreadable', detail: toOneLine(reasonOf(error)) })];
  }
}

async function verifySealed({ tallySealedValues }: Installation): Promise<AnyFinding[]> {
  const { broken, count } = await tallySealedValues();
  if (broken.length > 0) return broken.map((detail) => fault({ kind: 'sealed-broken', detail }));
  return [ok({ kind: 'sealed-ok', count })];
}

async function verifySite(installation: Installation, site: Site): Promise<Finding<TerminalFact>[]> {
  const named = { siteId: site.id, site: site.name };
  const compared = await makeCompareSite(installation)(site, AbortSignal.timeout(MAX_READING_MS));
  if (!compared.ok)
    return [fault({ kind: 'vouchers-not-compared', detail: toOneLine(compared.problem.text), ...named })];
  const { listed, recorded, missing, unrecorded } = compared.value;
  const findings: Finding<TerminalFact>[] = [];
  if (missing.length > 0) {
    const found = recorded > 0 ? 'some' : listed > 0 ? 'none of ours' : 'none';
    findings.push(fault({ kind: 'vouchers-missing', ids: missing, found, ...named }));
  }
  if (unrecorded.length > 0)
    findings.push(
      warning({
        kind: 'vouchers-unrecorded',
        names: unrecorded.map(toOneLine),
        isImported: site.importsForeign,
        ...named,
      }),
    );
  return findings.length > 0 ? findings : [ok({ kind: 'vouchers-agree', count: listed, ...named })];
}
