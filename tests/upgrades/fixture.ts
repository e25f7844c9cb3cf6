// The fixtures: for every migration, the rows that a release with that schema wrote, and what its API answered.

import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as v from 'valibot';
import { migrations } from '../../src/platform/database/migrations/index.ts';

export const SECRET = 'the secret of the upgrade fixtures';
export const ADMIN = { email: 'ada@example.org', password: 'ein gutes Passwort' };

const fixtureShape = v.object({
  /** Of the migration, which must not change after a release. */
  statementsHash: v.string(),
  /** When the answers were given. */
  nowMs: v.number(),
  key: v.string(),
  sites: v.unknown(),
  vouchers: v.unknown(),
});
export type Fixture = v.InferOutput<typeof fixtureShape>;

export function fixtureFile(version: number, extension: 'sql' | 'json'): string {
  const name = `fixtures/${String(version).padStart(4, '0')}.${extension}`;
  return fileURLToPath(new URL(name, import.meta.url));
}

export const readFixture = (version: number): Fixture =>
  v.parse(fixtureShape, JSON.parse(readFileSync(fixtureFile(version, 'json'), 'utf8')));

/** One insert statement in each line. */
export const readRows = (version: number): string => readFileSync(fixtureFile(version, 'sql'), 'utf8');

/** Of the statements of a migration, without the words in which the engines differ. */
export function statementsHash(version: number): string {
  const words = {
    rowId: 'row-id',
    integer: 'integer',
    bytewiseText: 'text',
    tableEnd: '',
    scratchTable: 'table',
  };
  const [shared, alone] = [true, false].map((isShared) =>
    JSON.stringify(migrations[version - 1]?.statements({ ...words, isShared })),
  );
  return hash('sha256', shared === alone ? `${shared}` : `${shared} ${alone}`);
}
