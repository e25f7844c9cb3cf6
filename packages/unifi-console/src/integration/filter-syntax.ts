// Parses the filter language of the official API into a tree of calls, or reports the error and its position.
// Properties and types are checked afterwards, in filter-check.ts.

import { fail, ok, type Result } from '../result.ts';

export interface Literal {
  text: string;
  isQuoted: boolean;
  isSet: boolean;
  at: number;
}

export type FilterTree =
  | { kind: 'and' | 'or' | 'not'; parts: FilterTree[] }
  | { kind: 'call'; property: string; function: string; arguments: Literal[]; at: number };

/** Thrown only while a filter is parsed or checked; callers get a failed result instead. */
export class FilterError extends Error {
  readonly at: number;
  constructor(detail: string, at: number) {
    super(detail);
    this.at = at;
  }
}

const NAME = /[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)*/y;
const BARE = /[^\s,()[\]']+/y;
const BLANK = /\s*/y;

export function parseFilter(text: string): Result<FilterTree, FilterError> {
  try {
    const reader = makeReader(text);
    const tree = readExpression(reader);
    reader.expectEnd();
    return ok(tree);
  } catch (error) {
    if (error instanceof FilterError) return fail(error);
    throw error;
  }
}

/** The error message of a real controller, with line and column counted from 1. */
export function describeFault(text: string, { message, at }: FilterError): string {
  const before = text.slice(0, at).split('\n');
  const column = (before.at(-1) ?? '').length + 1;
  return `failed to parse filter expression: ${message} at ${before.length}:${column}`;
}

function readExpression(reader: Reader): FilterTree {
  const at = reader.position();
  const name = reader.take(NAME);
  if (name === undefined) throw reader.unexpected();
  if (name === 'and' || name === 'or' || name === 'not') {
    const parts = readList(reader, ')', () => readExpression(reader));
    const isRightCount = name === 'not' ? parts.length === 1 : parts.length >= 2;
    if (!isRightCount)
      throw new FilterError(
        `'${name}' takes ${name === 'not' ? 'one expression' : 'two or more expressions'}`,
        at,
      );
    return { kind: name, parts };
  }
  const dot = name.lastIndexOf('.');
  if (dot < 0) throw new FilterError(`function expected after '${name}'`, at);
  const literals = readList(reader, ')', () => readLiteral(reader));
  return {
    kind: 'call',
    property: name.slice(0, dot),
    function: name.slice(dot + 1),
    arguments: literals,
    at,
  };
}

/** Reads a comma-separated list, including its opening and closing bracket. */
function readList<Item>(reader: Reader, closing: ')' | ']', readItem: () => Item): Item[] {
  reader.expect(closing === ')' ? '(' : '[');
  if (reader.accept(closing)) return [];
  const items = [readItem()];
  while (reader.accept(',')) items.push(readItem());
  reader.expect(closing);
  return items;
}

function readLiteral(reader: Reader): Literal {
  const at = reader.position();
  if (reader.peek() === '[') {
    const parts = readList(reader, ']', () => readLiteral(reader));
    return { text: parts.map(({ text }) => text).join(', '), isQuoted: false, isSet: true, at };
  }
  if (reader.peek() === "'") return { text: reader.takeQuoted(), isQuoted: true, isSet: false, at };
  const text = reader.take(BARE);
  if (text === undefined) throw reader.unexpected();
  return { text, isQuoted: false, isSet: false, at };
}

interface Reader {
  position(): number;
  peek(): string;
  take(pattern: RegExp): string | undefined;
  takeQuoted(): string;
  /** Consumes the character if it is the next character. */
  accept(sign: string): boolean;
  expect(sign: string): void;
  expectEnd(): void;
  unexpected(): FilterError;
}

function makeReader(text: string): Reader {
  let index = 0;

  function position(): number {
    BLANK.lastIndex = index;
    index += BLANK.exec(text)?.[0].length ?? 0;
    return index;
  }

  function unexpected(): FilterError {
    const at = position();
    return new FilterError(at >= text.length ? 'unexpected end of input' : `unexpected '${text[at]}'`, at);
  }

  function accept(sign: string): boolean {
    if (text[position()] !== sign) return false;
    index++;
    return true;
  }

  return {
    position,
    unexpected,
    accept,
    peek: () => text[position()] ?? '',
    take(pattern) {
      pattern.lastIndex = position();
      const found = pattern.exec(text)?.[0];
      index += found?.length ?? 0;
      return found;
    },
    takeQuoted() {
      const start = position();
      const found = /'((?:[^']|'')*)'/y;
      found.lastIndex = start;
      const match = found.exec(text);
      if (!match) throw new FilterError('unterminated string', start);
      index += match[0].length;
      return (match[1] ?? '').replaceAll("''", "'");
    },
    expect(sign) {
      if (!accept(sign)) throw unexpected();
    },
    expectEnd() {
      if (position() < text.length) throw unexpected();
    },
  };
}
