// Examines the database: whether it is intact and can be written, and on PostgreSQL version, encoding and rights.

import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import type { CheckedPages, Finding, HealthFact } from '../../domain/health/finding.ts';
import type { TerminalFact } from '../../domain/health/terminal-fact.ts';
import { toOneLine } from '../../domain/one-line.ts';
import { MIN_POSTGRES_VERSION, type ServerFacts } from '../../storage/postgres/server-facts.ts';
import { checkCommand, type Damage, findDamage } from '../../storage/sqlite/find-damage.ts';
import { storageErrorReason } from '../../storage/storage-errors.ts';
import type { Installation } from '../installation.ts';
import { explainError } from './explain-error.ts';
import { fault, ok, warning } from './finding.ts';

/** The fault, or whether the pages could be checked. */
export function examinePages({
  dataDir,
}: Config): { fault: Finding<TerminalFact> } | { pages: CheckedPages } {
  let damage: Damage;
  try {
    damage = findDamage(dataDir);
  } catch (error) {
    return { fault: fault({ kind: 'not-opened', what: 'database', detail: explainError(error) }) };
  }
  if (damage === 'none') return { pages: 'intact' };
  if (damage === 'too-large-to-check') return { pages: { checkWith: checkCommand(dataDir) } };
  const path = join(dataDir, 'gastpass.sqlite');
  return { fault: fault({ kind: 'database-damaged', path, detail: toOneLine(damage.found) }) };
}

interface WritingOptions {
  pages: CheckedPages;
  explain: (error: unknown) => string;
}

export async function examineWriting(
  { tryWrite, storageErrors }: Pick<Installation, 'tryWrite' | 'storageErrors'>,
  { pages, explain }: WritingOptions,
): Promise<Finding> {
  try {
    await tryWrite();
  } catch (error) {
    const reason = storageErrorReason(error);
    return fault<HealthFact>(
      reason
        ? { kind: 'database-disk', reason, detail: explain(error) }
        : { kind: 'database-unwritable', detail: explain(error) },
    );
  }
  const reason = storageErrors.recent();
  return reason ? fault({ kind: 'database-disk', reason }) : ok({ kind: 'database-ok', pages });
}

export function judgeServer(facts: ServerFacts): Finding[] {
  const { version, major, encoding, role, schema, forbidden, mayMigrate, closedOwner } = facts;
  const findings: Finding[] = [];
  if (major < MIN_POSTGRES_VERSION)
    findings.push(fault({ kind: 'postgresql-old', version, minVersion: MIN_POSTGRES_VERSION }));
  if (encoding !== 'UTF8') findings.push(fault({ kind: 'postgresql-encoding', encoding }));
  if (forbidden.length > 0)
    findings.push(fault({ kind: 'postgresql-rights', role, schema, tables: forbidden }));
  if (closedOwner !== null)
    findings.push(warning({ kind: 'postgresql-later-rights', role, schema, owner: closedOwner }));
  if (findings.length > 0) return findings;
  return [ok({ kind: mayMigrate ? 'postgresql-ok' : 'postgresql-owner', version, role })];
}
