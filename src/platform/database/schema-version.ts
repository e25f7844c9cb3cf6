// Compares the schema version of a database with the one of this release. Only `serve` and `migrate` change the schema.
// Other commands must not, because a service of an older release may be running.

import { WrongConfiguration } from '../values/wrong-configuration.ts';
import { migrations } from './migrations/index.ts';

/** `migrate` creates the database or updates its schema; `expect` changes nothing and throws if the schema differs. */
export type SchemaRule = 'migrate' | 'expect';

export interface Migrated {
  /** 0 if there was no database. */
  from: number;
  to: number;
  durationMs: number;
}

/** Returns undefined if the schema was up to date. */
export function migratedSince(from: number, startedAt: number): Migrated | undefined {
  if (from === migrations.length) return undefined;
  return { from, to: migrations.length, durationMs: Math.round(performance.now() - startedAt) };
}

export function sayMigrated({ from, to, durationMs }: Migrated): string {
  return `schema ${from} → ${to}, ${durationMs.toLocaleString('en')} ms`;
}

/** This release refuses to run on a newer schema, because it could damage data that it does not know. */
export class NewerSchema extends Error {
  constructor(found: number) {
    super(
      `the database has schema version ${found}, this release knows ${migrations.length}: start the newer release, or restore a backup made before the upgrade`,
    );
    this.name = 'NewerSchema';
  }
}

export class OlderSchema extends Error {
  constructor(found: number) {
    super(
      `the database has schema version ${found}, this release needs ${migrations.length}: restart the service with this release, or run gastpass migrate`,
    );
    this.name = 'OlderSchema';
  }
}

export class NoInstallation extends WrongConfiguration {
  constructor(place: string) {
    super(
      `there is no Gastpass database ${place}: use the DATA_DIR or DATABASE_URL of the service, or create a database with gastpass serve or gastpass migrate`,
    );
    this.name = 'NoInstallation';
  }
}

/**
 * The table that marks an unfinished restore. It is created before any data is written, and contains the path of the
 * backup. The transaction that writes the restored data drops it.
 */
export const RESTORE_MARK = 'restore_under_way';

/** The table that marks an unfinished move to PostgreSQL. Created before the data is copied, dropped at the end. */
export const MOVE_MARK = 'move_under_way';

/** Thrown if a restore was interrupted. Otherwise a service would create a new installation in the empty database. */
export class UnfinishedRestore extends WrongConfiguration {
  constructor(file: string) {
    super(
      `the restore of ${file} did not finish: if it is no longer running, repeat gastpass restore ${file}; for a new installation instead, move the files gastpass.sqlite* and secret away, or on PostgreSQL create an empty database and name that one`,
    );
    this.name = 'UnfinishedRestore';
  }
}

export function refuseNewerSchema(found: number): void {
  if (found > migrations.length) throw new NewerSchema(found);
}

/** @param place where the database is, such as "in ./data" */
export function expectSchema(found: number, place: string): void {
  if (found === 0) throw new NoInstallation(place);
  if (found < migrations.length) throw new OlderSchema(found);
  refuseNewerSchema(found);
}
