// The format of a backup: gzip-compressed lines of JSON. The first line is the header. Then each table has a line with
// its name and columns, and a line for each row. The last line has the SHA-256 of all lines before it. If there is a
// passphrase, the last line also has the HMAC of these lines. Format 1 had no HMAC.

import { createHash, createHmac } from 'node:crypto';
import * as v from 'valibot';
import type { Row } from '../database/tables/table-rows.ts';
import { WRAPPED_SECRET } from './wrapped-secret.ts';

export const FORMAT = 'gastpass backup';
export const FORMAT_VERSION = 2;

const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** The fields of the header that every version of the format has. */
export const ANY_HEADER = v.object({ format: v.literal(FORMAT), formatVersion: count });

export const HEADER = v.object({
  format: v.literal(FORMAT),
  formatVersion: v.picklist([1, FORMAT_VERSION]),
  /** The version of Gastpass that made the backup. */
  release: v.string(),
  schemaVersion: v.pipe(count, v.minValue(1)),
  engine: v.picklist(['SQLite', 'PostgreSQL']),
  madeAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Null if the secret was left out. */
  secret: v.nullable(WRAPPED_SECRET),
  /** The number of rows of each table. */
  tables: v.record(v.string(), count),
  /** The highest id that each table has assigned. */
  ids: v.record(v.string(), count),
});
export type Header = v.InferOutput<typeof HEADER>;

export const TABLE_LINE = v.object({ table: v.string(), columns: v.array(v.string()) });
/** The columns of all tables contain only texts, whole numbers and nulls. */
export const ROW_LINE = v.array(v.union([v.string(), v.number(), v.null()]));
const digest = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));
export const END_LINE = v.object({ sha256: digest, hmac: v.optional(digest) });

/** The fields of the header that the caller provides. */
export type NewHeader = Omit<Header, 'format' | 'formatVersion' | 'madeAt'> & { madeAtMs: number };

/** Computes the SHA-256 of the lines and, with a key, also their HMAC. */
export function makeSums(lineKey: Buffer | undefined) {
  const hash = createHash('sha256');
  const hmac = lineKey && createHmac('sha256', lineKey);
  return {
    update(text: string | Buffer) {
      hash.update(text);
      hmac?.update(text);
    },
    digest: () => ({ sha256: hash.digest('hex'), ...(hmac && { hmac: hmac.digest('hex') }) }),
  };
}

export function makeLines(lineKey?: Buffer) {
  const sums = makeSums(lineKey);
  const summed = (text: string) => {
    sums.update(text);
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
    end: () => toLine(sums.digest()),
  };
}

const toLine = (value: unknown) => `${JSON.stringify(value)}\n`;
