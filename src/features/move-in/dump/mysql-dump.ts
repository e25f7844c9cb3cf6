// Reads the rows of some tables from the output of mysqldump or mariadb-dump, part by part, so that a large dump needs
// little memory. Everything else in the dump is skipped. Throws a DumpError if the file is no dump or is cut off.

import { DumpError, DumpScanner, isBlank } from './dump-scanner.ts';

/** The name of the column → its value as text. Hexadecimal values are decoded. */
export type Fields = ReadonlyMap<string, string | null>;

export interface DumpRow {
  table: string;
  fields: Fields;
  line: number;
  /** The offset of the times in the dump, such as `+00:00`; null if the dump does not set one. */
  zone: string | null;
}

/** The columns of each wanted table in their usual order, for a dump without names of columns. */
export type WantedTables = Readonly<Record<string, readonly string[]>>;

/** Limits the memory: a longer row or statement is refused. */
const MAX_UNIT_LENGTH = 8_000_000;
const MAX_COLUMNS = 200;
const NO_DUMP = 'this is not a dump by mysqldump or mariadb-dump';

/** Statements that contain no rows. */
const SKIPPED = new Set(
  'ALTER ANALYZE BEGIN CHANGE COMMIT CREATE DELIMITER DROP FLUSH GRANT LOCK SET START TRUNCATE UNLOCK USE'.split(
    ' ',
  ),
);

/** Yields one array of rows for each part of the file. */
export async function* readDump(
  parts: AsyncIterable<Uint8Array>,
  wanted: WantedTables,
): AsyncGenerator<DumpRow[]> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const reader = new DumpReader(wanted);
  let isFirst = true;
  for await (const part of parts) {
    if (isFirst) refuseOtherFormats(part);
    isFirst = false;
    yield reader.read(decode(part, reader.line));
  }
  yield reader.finish(decode(new Uint8Array(), reader.line, true));

  function decode(part: Uint8Array, line: number, isLast = false): string {
    try {
      return decoder.decode(part, { stream: !isLast });
    } catch {
      throw new DumpError(
        line,
        'the text after this line is not UTF-8, but probably ANSI (Latin-1, Windows-1252): add --default-character-set=utf8mb4 to mysqldump',
      );
    }
  }
}

function refuseOtherFormats(part: Uint8Array): void {
  const [first, second] = part;
  if (first === 0x1f && second === 0x8b) throw new DumpError(1, 'the file is compressed: unpack it first');
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new DumpError(
      1,
      'the file is UTF-16, as PowerShell writes it: use --result-file=FILE of mysqldump instead of >',
    );
}

class DumpReader {
  private readonly scanner = new DumpScanner();
  private readonly wanted: WantedTables;
  private readonly created = new Map<string, string[]>();
  private rows: DumpRow[] = [];
  /** The INSERT whose rows are being read. */
  private insert: { table: string; columns: readonly string[] | undefined } | undefined;
  private triedAgainFrom = 0;
  private delimiter = ';';
  private database: string | undefined;
  private zone: string | null = null;
  /** Whether the beginning and the end of the dump were seen. */
  private marks = { begins: false, ends: false };

  constructor(wanted: WantedTables) {
    this.wanted = wanted;
  }

  get line(): number {
    return this.scanner.line;
  }

  read(text: string): DumpRow[] {
    this.scanner.append(text);
    // An incomplete row is read again from its start, so wait until the unread text has doubled.
    if (this.scanner.waiting < this.triedAgainFrom) return [];
    while (this.scanner.waiting > 0 && this.scanner.attempt(() => this.step())) {}
    this.triedAgainFrom = this.scanner.waiting * 2;
    if (this.scanner.waiting > MAX_UNIT_LENGTH) this.scanner.fail('a row or statement is too long');
    const { rows } = this;
    this.rows = [];
    return rows;
  }

  finish(text: string): DumpRow[] {
    this.scanner.complete();
    this.triedAgainFrom = 0;
    const rows = this.read(text);
    if (this.insert) this.scanner.fail('the file ends in the middle of a statement');
    if (this.marks.begins && !this.marks.ends)
      this.scanner.fail('the file ends too early: the dump is not complete');
    return rows;
  }

  private step(): true {
    const { scanner } = this;
    if (isBlank(scanner.peek())) scanner.skipBlanks();
    else if (!this.skipComment()) {
      if (this.insert) this.readRow(this.insert);
      else if (scanner.peek() === ';') scanner.take();
      else this.readStatement();
    }
    return true;
  }

  private skipComment(): boolean {
    const comment = this.scanner.comment();
    if (comment === undefined) return false;
    // MySQL runs the content of comments such as /*!40103 … */ as statements.
    if (/^\/\*M?!/.test(comment)) this.noteSettings(comment);
    if (/^-- (MySQL|MariaDB) dump /.test(comment)) this.marks.begins = true;
    if (/^-- Dump completed/.test(comment)) this.marks.ends = true;
    return true;
  }

  private noteSettings(text: string): void {
    const zone = /\bTIME_ZONE\s*=\s*'([+-]\d\d:\d\d)'/i.exec(text)?.[1];
    if (zone) this.zone = zone;
    if (/SQL_MODE\s*=\s*'[^']*NO_BACKSLASH_ESCAPES/i.test(text)) this.scanner.hasEscapes = false;
    if (/SET @OLD_SQL_NOTES\s*=/i.test(text)) this.marks.begins = true;
    if (/SET SQL_NOTES\s*=\s*@OLD_SQL_NOTES/i.test(text)) this.marks.ends = true;
  }

  private readStatement(): void {
    const { scanner } = this;
    const word = scanner.word().toUpperCase();
    if (word === 'INSERT' || word === 'REPLACE') {
      this.beginInsert();
      return;
    }
    if (!SKIPPED.has(word)) scanner.fail(NO_DUMP);
    if (word === 'DELIMITER') {
      this.delimiter = scanner.restOfLine().trim() || ';';
      return;
    }
    const statement = scanner.restOfStatement(this.delimiter);
    if (word === 'SET') this.noteSettings(`SET${statement}`);
    if (word === 'USE') this.noteDatabase(statement.replace(/[`\s]/g, ''));
    if (word === 'CREATE') this.noteColumns(statement);
  }

  private noteDatabase(name: string): void {
    if (this.database !== undefined && this.database !== name)
      this.scanner.fail('the dump contains several databases: dump only the database of the tool');
    this.database = name;
  }

  /** mysqldump writes every column on a line of its own, with its name in backquotes. */
  private noteColumns(statement: string): void {
    const [, table, body] = /^\s+TABLE\s+(?:IF NOT EXISTS\s+)?`?(\w+)`?\s*\((.*)$/is.exec(statement) ?? [];
    if (table === undefined || body === undefined || !Object.hasOwn(this.wanted, table)) return;
    this.created.set(
      table,
      [...body.matchAll(/^\s*`(\w+)`\s/gm)].map(([, name = '']) => name),
    );
  }

  private beginInsert(): void {
    const { scanner } = this;
    this.skipGaps();
    let name = scanner.name();
    for (const word of ['IGNORE', 'INTO'])
      if (name.toUpperCase() === word) {
        this.skipGaps();
        name = scanner.name();
      }
    this.skipGaps();
    const named = scanner.peek() === '(' ? this.readList(() => scanner.name()) : undefined;
    this.skipGaps();
    if (!/^VALUES?$/i.test(scanner.word())) scanner.fail('expected VALUES');
    const isWanted = Object.hasOwn(this.wanted, name);
    const columns = isWanted ? (named ?? this.created.get(name) ?? this.wanted[name]) : undefined;
    this.insert = { table: name, columns };
  }

  private readRow({ table, columns }: NonNullable<DumpReader['insert']>): void {
    const { scanner } = this;
    const { line } = scanner;
    const values = this.readList(() => this.readValue());
    this.skipGaps();
    const next = scanner.take();
    if (next !== ',' && next !== ';') scanner.fail('expected , or ; after a row');
    if (columns) {
      if (columns.length !== values.length)
        throw new DumpError(
          line,
          `a row of the table ${table} has ${values.length} values for ${columns.length} columns: add --complete-insert to mysqldump`,
        );
      const fields = new Map(columns.map((column, index) => [column, values[index] ?? null]));
      this.rows.push({ table, fields, line, zone: this.zone });
    }
    if (next === ';') this.insert = undefined;
  }

  private readList<Item>(readItem: () => Item): Item[] {
    const { scanner } = this;
    const items: Item[] = [];
    scanner.expect('(');
    for (;;) {
      this.skipGaps();
      items.push(readItem());
      if (items.length > MAX_COLUMNS) scanner.fail('a row has too many columns');
      this.skipGaps();
      const next = scanner.take();
      if (next === ')') return items;
      if (next !== ',') scanner.fail('expected , or ) after a value');
    }
  }

  private skipGaps(): void {
    do this.scanner.skipBlanks();
    while (this.scanner.comment() !== undefined);
  }

  private readValue(hasCharacterSet = false): string | null {
    const { scanner } = this;
    const first = scanner.peek();
    if (first === "'" || first === '"') return scanner.quoted();
    const sign = first === '-' || first === '+' ? scanner.take() : '';
    const word = scanner.word();
    if (/^\d+$/.test(word)) return sign + word + this.readFraction();
    if (sign !== '') scanner.fail('expected a number');
    if (/^0x([0-9a-f]{2})*$/i.test(word)) return fromHex(word.slice(2));
    if (/^x$/i.test(word)) return fromHex(scanner.quoted());
    if (/^null$/i.test(word)) return null;
    // The name of a character set, such as _binary or _utf8mb4, may stand before a text. It is skipped.
    if (word.startsWith('_') && !hasCharacterSet) {
      this.skipGaps();
      return this.readValue(true);
    }
    return scanner.fail(
      first === '(' ? 'a value is nested in parentheses' : 'a value is neither a text nor a number',
    );
  }

  private readFraction(): string {
    const { scanner } = this;
    if (scanner.peek() !== '.') return '';
    scanner.take();
    return `.${scanner.word()}`;
  }
}

const fromHex = (digits: string) => Buffer.from(digits, 'hex').toString('utf8');
