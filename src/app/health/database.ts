// Examines the database: whether it is intact and can be written, and on PostgreSQL version, encoding and rights.

import type { Config } from '../../config/config.ts';
import { type StorageErrorReason, sayStorageError } from '../../domain/health/storage-errors.ts';
import { toOneLine } from '../../domain/one-line.ts';
import { adviseOnConnection } from '../../storage/postgres/connection-advice.ts';
import { MIN_POSTGRES_VERSION, type ServerFacts } from '../../storage/postgres/server-facts.ts';
import { checkCommand, type Damage, findDamage } from '../../storage/sqlite/find-damage.ts';
import { storageErrorReason } from '../../storage/storage-errors.ts';
import type { Installation } from '../installation.ts';
import { explainError } from './explain-error.ts';
import { type Finding, fault, ok, reasonOf, sayNames, warning } from './finding.ts';

const MAX_NAMED = 3;

/** The fault, or what to add to the finding that the database works. */
export function examinePages({ dataDir }: Config): { fault: Finding } | { note: string } {
  let damage: Damage;
  try {
    damage = findDamage(dataDir);
  } catch (error) {
    return { fault: fault('database', explainError(error)) };
  }
  if (damage === 'none') return { note: ', no page is damaged' };
  if (damage === 'too-large-to-check')
    return { note: `; it is too large to check its pages here: ${checkCommand(dataDir)}` };
  return {
    fault: fault(
      'database',
      `${dataDir}/gastpass.sqlite is damaged (${toOneLine(damage.found)}): stop the service, keep a copy of the data folder, and restore the last backup`,
    ),
  };
}

/** What to do if the disk under the database is the reason for failed writes. */
export function adviseOnDisk(reason: StorageErrorReason): string {
  return {
    'disk-full': 'delete files on the disk of the database, or enlarge it',
    'read-only': 'make the disk of the database writable again, or set DATABASE_URL to the primary server',
    'io-error': 'check the disk of the database; the logs of the service and of the machine say more',
    damaged: 'stop the service, keep a copy of the database, check its disk, and restore the last backup',
  }[reason];
}

/** @param note what else is known about the working database */
export async function examineWriting(
  { tryWrite, storageErrors }: Pick<Installation, 'tryWrite' | 'storageErrors'>,
  note: string,
): Promise<Finding> {
  try {
    await tryWrite();
  } catch (error) {
    const reason = storageErrorReason(error);
    const advice = reason
      ? adviseOnDisk(reason)
      : (adviseOnConnection(error) ?? 'check free space and who else has it open');
    return fault(
      'database',
      `cannot be written (${reasonOf(error)}): ${advice}`,
      reason ? { kind: 'database-disk', reason } : { kind: 'database-unwritable' },
    );
  }
  const reason = storageErrors.recent();
  return reason
    ? fault(
        'database',
        `writes failed within the last minute (${sayStorageError(reason)}): ${adviseOnDisk(reason)}`,
        { kind: 'database-disk', reason },
      )
    : ok('database', `can be read and written${note}`, { kind: 'database-ok' });
}

export function judgeServer(facts: ServerFacts): Finding[] {
  const { version, major, encoding, role, schema, forbidden, mayMigrate, closedOwner } = facts;
  const findings: Finding[] = [];
  if (major < MIN_POSTGRES_VERSION)
    findings.push(
      fault(
        'PostgreSQL',
        `version ${version} is too old: upgrade the server to ${MIN_POSTGRES_VERSION} or newer`,
        { kind: 'postgresql-old', version },
      ),
    );
  if (encoding !== 'UTF8')
    findings.push(
      fault(
        'PostgreSQL',
        `the database has the encoding ${encoding}: move it to one created with encoding 'UTF8' template template0`,
        { kind: 'postgresql-encoding', encoding },
      ),
    );
  if (forbidden.length > 0)
    findings.push(
      fault(
        'PostgreSQL',
        `the role ${role} may not read and write ${sayNames(forbidden, MAX_NAMED)}: grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
        { kind: 'postgresql-rights', role, schema, tables: forbidden },
      ),
    );
  if (closedOwner !== null)
    findings.push(
      warning(
        'PostgreSQL',
        `the role ${role} lacks rights on tables that a later release adds: alter default privileges for role ${closedOwner} in schema ${schema} grant select, insert, update, delete on tables to ${role}`,
        { kind: 'postgresql-later-rights', role, schema, owner: closedOwner },
      ),
    );
  if (findings.length > 0) return findings;
  const rights = mayMigrate
    ? 'has its rights'
    : 'can read and write the tables but not change them: before a new release starts, run gastpass migrate as their owner';
  return [
    ok('PostgreSQL', `version ${version}, the role ${role} ${rights}`, {
      kind: mayMigrate ? 'postgresql-ok' : 'postgresql-owner',
      version,
    }),
  ];
}
