// The format of a backup: gzip-compressed lines of JSON. The first line is the header, then each table has a line with
// its name and columns and a line for each row, and the last line has the SHA-256 of all lines before it.

import { createHash, type Hash } from 'node:crypto';
import * as v from 'valibot';
import type { IdCounters } from '../tables/id-counters.ts';
import type { Row } from '../tables/table-rows.ts';
import { WRAPPED_SECRET } from './wrapped-secret.ts';

export const FORMAT = 'gastpass backup';
export const FORMAT_VERSION = 1;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** What every version of the format begins with. */
export const ANY_HEADER = v.object({ format: v.literal(FORMAT), formatVersion: count });

export const HEADER = v.object({
  format: v.literal(FORMAT),
  formatVersion: v.literal(FORMAT_VERSION),
  /** The version of Gastpass that made the backup. */
  release: v.string(),
  schemaVersion: v.pipe(count, v.minValue(1)),
  engine: v.picklist(['SQLite', 'PostgreSQL']),
  madeAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Null if the secret was left out. */
  secret: v.nullable(WRAPPED_SECRET),
  /** The number of rows of each table, in the order of the tables. */
  tables: v.record(v.string(), count),
  /** The highest id that each table has assigned. */
  ids: v.record(v.string(), count),
});
export type Header = v.InferOutput<typeof HEADER>;

export const TABLE_LINE = v.object({ table: v.string(), columns: v.array(v.string()) });
/** The columns of all tables hold texts and whole numbers only. */
export const ROW_LINE = v.array(v.union([v.string(), v.number(), v.null()]));
export const END_LINE = v.object({ sha256: v.pipe(v.string(), v.length(64)) });

/** The facts of a new backup that are known before its rows are read. */
export interface NewHeader
  extends Pick<Header, 'release' | 'schemaVersion' | 'engine' | 'secret' | 'tables'> {
  madeAtMs: number;
  ids: IdCounters;
}

/** Writes the lines of a backup, and sums them up for the last line. */
export function makeLines() {
  const hash: Hash = createHash('sha256');
  const summed = (text: string) => {
    hash.update(text);
    return text;
  };
  return {
    header({ madeAtMs, ...facts }: NewHeader): string {
      const madeAt = new Date(madeAtMs).toISOString();
      return summed(toLine({ format: FORMAT, formatVersion: FORMAT_VERSION, ...facts, madeAt }));
    },
    table: (table: string, columns: string[]) => summed(toLine({ table, columns })),
    rows: (columns: string[], rows: Row[]) =>
      summed(rows.map((row) => toLine(columns.map((name) => row[name]))).join('')),
    end: () => toLine({ sha256: hash.digest('hex') }),
  };
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;
