// Reads a backup from its first to its last line, and checks that it is complete and undamaged. With the passphrase it
// also checks that nobody has changed the lines.

import { createReadStream, type Stats, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import * as v from 'valibot';
import type { Row } from '../database/tables/table-rows.ts';
import { errorCodeOf, sayFileCode } from '../values/file-error.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';
import {
  ANY_HEADER,
  END_LINE,
  FORMAT_VERSION,
  HEADER,
  type Header,
  makeSums,
  ROW_LINE,
  TABLE_LINE,
} from './format.ts';
import { unwrapSecret } from './wrapped-secret.ts';

/** Longer than any row. The longest row contains an image of a site. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;
const ROWS_AT_ONCE = 500;
const NEWLINE = 0x0a;

export class NoBackup extends WrongConfiguration {}

export class DamagedBackup extends Error {
  constructor(file: string, why: string) {
    super(`${file} is damaged or incomplete (${why}): use another backup`);
    this.name = 'DamagedBackup';
  }
}

export class ForgedBackup extends Error {
  constructor(file: string) {
    super(`${file} was changed after it was made: somebody may have forged it, use another backup`);
    this.name = 'ForgedBackup';
  }
}

interface Reading {
  signal?: AbortSignal;
  passphrase?: string | undefined;
  /** `secret` is undefined if no passphrase was given or the backup contains no secret. */
  header?(header: Header, secret: string | undefined): Promise<void> | void;
  rows?(table: string, rows: Row[]): Promise<void> | void;
}

export interface ReadBackup {
  header: Header;
  sha256: string;
  /** Whether the passphrase proves that the backup is unchanged. */
  isAuthentic: boolean;
  secret: string | undefined;
}

/**
 * Throws NoBackup, WrongPassphrase, DamagedBackup or ForgedBackup. Rows are passed on before the whole backup is
 * checked, so they can be trusted only after this function has returned.
 */
export async function readBackup(file: string, reading: Reading = {}): Promise<ReadBackup> {
  expectRegularFile(file);
  const parser = makeParser(file, reading);
  try {
    const take = async (chunks: AsyncIterable<Buffer>) => {
      for await (const lines of linesOf(chunks, file)) for (const line of lines) await parser.take(line);
    };
    const { signal } = reading;
    await pipeline(createReadStream(file), createGunzip(), take, { ...(signal && { signal }) });
  } catch (error) {
    throw translate(error, file, parser.hasBegun());
  }
  return parser.end();
}

function expectRegularFile(file: string): void {
  let stats: Stats;
  try {
    stats = statSync(file);
  } catch (error) {
    throw new NoBackup(`${file} cannot be read ${sayFileCode(errorCodeOf(error) ?? String(error))}`);
  }
  // A restore reads the file twice, which is not possible with a pipe.
  if (!stats.isFile()) throw new NoBackup(`${file} is not a regular file: copy the backup into one`);
}

function translate(error: unknown, file: string, hasBegun: boolean): unknown {
  const code = errorCodeOf(error);
  if (code?.startsWith('Z_'))
    return hasBegun || code === 'Z_BUF_ERROR'
      ? new DamagedBackup(file, error instanceof Error ? error.message : code)
      : new NoBackup(`${file} is not a backup of Gastpass`);
  return code === 'EACCES' ? new NoBackup(`${file} cannot be read ${sayFileCode(code)}`) : error;
}

async function* linesOf(chunks: AsyncIterable<Buffer>, file: string): AsyncGenerator<Buffer[]> {
  let parts: Buffer[] = [];
  let waiting = 0;
  for await (const chunk of chunks) {
    const lines: Buffer[] = [];
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      const piece = chunk.subarray(start, end + 1);
      lines.push(parts.length > 0 ? Buffer.concat([...parts, piece]) : piece);
      parts = [];
      waiting = 0;
      start = end + 1;
    }
    if (start < chunk.length) {
      parts.push(chunk.subarray(start));
      waiting += chunk.length - start;
    }
    if (waiting > MAX_LINE_BYTES) throw new DamagedBackup(file, 'a line without end');
    if (lines.length > 0) yield lines;
  }
  if (waiting > 0) throw new DamagedBackup(file, 'the last line has no end');
}

function makeParser(file: string, reading: Reading) {
  let sums = makeSums(undefined);
  let secret: string | undefined;
  let isAuthentic = false;
  let header: Header | undefined;
  let sha256: string | undefined;
  /** The table whose rows are being read. */
  let current: { table: string; columns: string[] } | undefined;
  let rows: Row[] = [];
  const counts = new Map<string, number>();

  const damaged = (why: string) => new DamagedBackup(file, why);

  function parse<Schema extends v.GenericSchema>(schema: Schema, value: unknown): v.InferOutput<Schema> {
    const parsed = v.safeParse(schema, value);
    if (!parsed.success) throw damaged('a line has another form than expected');
    return parsed.output;
  }

  async function flush(): Promise<void> {
    if (!current || rows.length === 0) return;
    const { table } = current;
    counts.set(table, (counts.get(table) ?? 0) + rows.length);
    const full = rows;
    rows = [];
    await reading.rows?.(table, full);
  }

  async function begin(value: unknown, line: Buffer): Promise<void> {
    const any = v.safeParse(ANY_HEADER, value);
    if (!any.success) throw new NoBackup(`${file} is not a backup of Gastpass`);
    if (any.output.formatVersion > FORMAT_VERSION)
      throw new NoBackup(
        `${file} has the format ${any.output.formatVersion} of a newer release, this release knows ${FORMAT_VERSION}: use the release that made it, or a newer one`,
      );
    header = parse(HEADER, value);
    if (header.secret && reading.passphrase !== undefined) {
      const unwrapped = await unwrapSecret(header.secret, reading.passphrase, header.formatVersion);
      secret = unwrapped.secret;
      if (header.formatVersion > 1) sums = makeSums(unwrapped.lineKey);
    }
    sums.update(line);
    await reading.header?.(header, secret);
  }

  async function beginTable(value: unknown): Promise<void> {
    await flush();
    current = parse(TABLE_LINE, value);
    const { table } = current;
    if (!Object.hasOwn(header?.tables ?? {}, table) || counts.has(table))
      throw damaged('an unexpected table');
    counts.set(table, 0);
  }

  async function addRow(value: unknown): Promise<void> {
    const cells = parse(ROW_LINE, value);
    if (!current || cells.length !== current.columns.length) throw damaged('a row without its table');
    rows.push(Object.fromEntries(current.columns.map((name, index) => [name, cells[index]])));
    if (rows.length >= ROWS_AT_ONCE) await flush();
  }

  async function finish(value: unknown): Promise<void> {
    await flush();
    const [said, found] = [parse(END_LINE, value), sums.digest()];
    ({ sha256 } = said);
    if (sha256 !== found.sha256) throw damaged('the checksum is wrong');
    if (header?.secret && header.formatVersion > 1 && said.hmac === undefined)
      throw damaged('the authentication code is missing');
    if (found.hmac !== undefined && said.hmac !== found.hmac) throw new ForgedBackup(file);
    isAuthentic = found.hmac !== undefined;
    const missing = Object.entries(header?.tables ?? {}).find(
      ([table, count]) => (counts.get(table) ?? 0) !== count,
    );
    if (missing) throw damaged(`the number of rows of ${missing[0]} is wrong`);
  }

  return {
    hasBegun: () => header !== undefined,
    async take(line: Buffer): Promise<void> {
      if (sha256 !== undefined) throw damaged('there are lines after the end');
      const value = toJson(line);
      const isEnd = v.is(END_LINE, value);
      if (header && !isEnd) sums.update(line);
      if (!header) await begin(value, line);
      else if (isEnd) await finish(value);
      else if (Array.isArray(value)) await addRow(value);
      else await beginTable(value);
    },
    end(): ReadBackup {
      if (!header || sha256 === undefined) throw damaged('the end is missing');
      return { header, sha256, isAuthentic, secret };
    },
  };

  function toJson(line: Buffer): unknown {
    try {
      return JSON.parse(line.toString('utf8'));
    } catch {
      throw header ? damaged('a line is not JSON') : new NoBackup(`${file} is not a backup of Gastpass`);
    }
  }
}
