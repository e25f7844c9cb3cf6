// Reads the tokens of a MySQL dump from a text that arrives in parts: names, values, comments and statements. If a
// token is not complete yet, `MoreNeeded` is thrown, and the caller tries again when the next part has arrived.

/** Why a dump cannot be read. */
export class DumpError extends Error {
  constructor(line: number, text: string) {
    super(`line ${line} of the dump: ${text}`);
    this.name = 'DumpError';
  }
}

class MoreNeeded extends Error {}

const NEWLINE = 10;
const BACKSLASH = 92;
const ESCAPES = new Map(Object.entries({ 0: '\0', b: '\b', n: '\n', r: '\r', t: '\t', Z: '\x1a' }));

export const isBlank = (character: string) =>
  character === ' ' || character === '\n' || character === '\t' || character === '\r';

const isWordPart = (character: string) =>
  (character >= 'a' && character <= 'z') ||
  (character >= '0' && character <= '9') ||
  (character >= 'A' && character <= 'Z') ||
  character === '_' ||
  character === '$';

export class DumpScanner {
  line = 1;
  /** False for a dump that does not use backslashes as escapes. */
  hasEscapes = true;
  private text = '';
  private at = 0;
  private isComplete = false;

  append(part: string): void {
    this.text = this.text.slice(this.at) + part;
    this.at = 0;
  }

  complete(): void {
    this.isComplete = true;
  }

  /** The number of characters that are not read yet. */
  get waiting(): number {
    return this.text.length - this.at;
  }

  /** Runs `read`. If it needs more text, the position is restored and the result is undefined. */
  attempt<Value>(read: () => Value): Value | undefined {
    const { at, line } = this;
    try {
      return read();
    } catch (error) {
      if (!(error instanceof MoreNeeded)) throw error;
      this.at = at;
      this.line = line;
      return undefined;
    }
  }

  fail(text: string): never {
    throw new DumpError(this.line, text);
  }

  /** Returns the next character, or the one `ahead` places after it; empty at the end of a complete text. */
  peek(ahead = 0): string {
    const place = this.at + ahead;
    if (place < this.text.length) return this.text.charAt(place);
    if (this.isComplete) return '';
    throw new MoreNeeded();
  }

  take(): string {
    const character = this.peek();
    if (character === '') this.fail('the file ends in the middle of a statement');
    if (character === '\n') this.line++;
    this.at++;
    return character;
  }

  expect(character: string): void {
    const { line } = this;
    if (this.take() !== character) throw new DumpError(line, `expected ${character}`);
  }

  skipBlanks(): void {
    while (isBlank(this.peek())) this.take();
  }

  /** Reads a word of letters, digits, `_` and `$`. Returns an empty text if there is none. */
  word(): string {
    let length = 0;
    while (isWordPart(this.peek(length))) length++;
    const word = this.text.slice(this.at, this.at + length);
    this.at += length;
    return word;
  }

  /** Reads the comment at this place and returns its text; undefined if there is none. */
  comment(): string | undefined {
    const first = this.peek();
    if (first === '#') return this.restOfLine();
    if (first === '-' && this.peek(1) === '-' && /^\s?$/.test(this.peek(2))) return this.restOfLine();
    if (first !== '/' || this.peek(1) !== '*') return undefined;
    const end = this.text.indexOf('*/', this.at + 2);
    if (end === -1) {
      if (this.isComplete) this.fail('the file ends in the middle of a comment');
      throw new MoreNeeded();
    }
    return this.moveTo(end + 2);
  }

  restOfLine(): string {
    const end = this.text.indexOf('\n', this.at);
    if (end === -1 && !this.isComplete) throw new MoreNeeded();
    return this.moveTo(end === -1 ? this.text.length : end);
  }

  /**
   * Reads the rest of a statement and its delimiter. Returns the text before the delimiter. Delimiters in quotes and
   * comments do not count.
   */
  restOfStatement(delimiter: string): string {
    const start = this.at;
    for (;;) {
      if (this.comment() !== undefined) continue;
      const character = this.peek();
      if (character === "'" || character === '"' || character === '`') this.quoted();
      else if (this.startsWith(delimiter)) break;
      else this.take();
    }
    const text = this.text.slice(start, this.at);
    this.at += delimiter.length;
    return text;
  }

  /** Reads a name, with or without backquotes. For `database`.`table`, returns only the part after the dot. */
  name(): string {
    for (;;) {
      const name = this.peek() === '`' ? this.quoted() : this.word();
      if (name === '') this.fail('expected a name');
      if (this.peek() !== '.') return name;
      this.take();
    }
  }

  /** Reads a text in quotes. A doubled quote stands for one quote. A backslash is an escape, except in names. */
  quoted(): string {
    const quote = this.take();
    const { text } = this;
    const escapes = this.hasEscapes && quote !== '`';
    let value = '';
    let from = this.at;
    for (let place = this.at; place < text.length; place++) {
      const code = text.charCodeAt(place);
      if (code === NEWLINE) this.line++;
      else if (code === BACKSLASH && escapes) {
        if (place + 1 >= text.length) break;
        const escaped = text.charAt(place + 1);
        value += text.slice(from, place) + (ESCAPES.get(escaped) ?? escaped);
        if (escaped === '\n') this.line++;
        place++;
        from = place + 1;
      } else if (text[place] === quote) {
        value += text.slice(from, place);
        if (text[place + 1] === quote) {
          value += quote;
          place++;
          from = place + 1;
          continue;
        }
        this.at = place + 1;
        // Throws `MoreNeeded` if the text ends here: the next part may begin with a second quote.
        this.peek();
        return value;
      }
    }
    if (this.isComplete) this.fail('the file ends in the middle of a text');
    throw new MoreNeeded();
  }

  private startsWith(text: string): boolean {
    for (let place = 0; place < text.length; place++) if (this.peek(place) !== text[place]) return false;
    return true;
  }

  private moveTo(end: number): string {
    const passed = this.text.slice(this.at, end);
    for (let place = passed.indexOf('\n'); place !== -1; place = passed.indexOf('\n', place + 1)) this.line++;
    this.at = end;
    return passed;
  }
}
