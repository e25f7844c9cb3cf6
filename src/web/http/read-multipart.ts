// A strict parser for forms with a file (multipart/form-data). It accepts only what browsers send and rejects any other
// input as a whole.

const MAX_PARTS = 5;
const MAX_HEADER_BYTES = 1_024;
const TYPE = /^multipart\/form-data; *boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./:=?-]{1,70}))$/i;
const DISPOSITION = /^content-disposition: *form-data; *name="([^"]{1,100})"(?:; *filename="([^"]*)")?$/i;
const CONTENT_TYPE = /^content-type: *[\w.+/;= -]{1,200}$/i;
const BREAK = '\r\n';

export interface SentForm {
  fields: URLSearchParams;
  /** At most one file; an empty buffer if the user chose none. */
  file?: Buffer;
}

/** Undefined if the body cannot be parsed. */
export function readMultipart(contentType: string, body: Buffer): SentForm | undefined {
  const [, quoted, plain] = TYPE.exec(contentType) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) return undefined;
  const parts = splitParts(body, `--${boundary}`);
  if (!parts) return undefined;
  const form: SentForm = { fields: new URLSearchParams() };
  for (const part of parts) {
    const read = readPart(part);
    if (!read || form.fields.has(read.name)) return undefined;
    if (read.isFile) {
      if (form.file) return undefined;
      form.file = read.content;
    } else {
      const text = toText(read.content);
      if (text === undefined) return undefined;
      form.fields.set(read.name, text);
    }
  }
  return form;
}

/** The parts between the delimiters. No data may precede the first delimiter or follow the last. */
function splitParts(body: Buffer, delimiter: string): Buffer[] | undefined {
  const parts: Buffer[] = [];
  if (!standsAt(body, 0, delimiter)) return undefined;
  for (let at = delimiter.length; ; ) {
    if (standsAt(body, at, '--')) {
      const rest = body.subarray(at + 2);
      return rest.length === 0 || rest.equals(Buffer.from(BREAK)) ? parts : undefined;
    }
    if (!standsAt(body, at, BREAK) || parts.length === MAX_PARTS) return undefined;
    const end = body.indexOf(BREAK + delimiter, at + 2, 'latin1');
    if (end < 0) return undefined;
    parts.push(body.subarray(at + 2, end));
    at = end + 2 + delimiter.length;
  }
}

function standsAt(body: Buffer, at: number, text: string): boolean {
  return body.toString('latin1', at, at + text.length) === text;
}

function readPart(part: Buffer): { name: string; isFile: boolean; content: Buffer } | undefined {
  const end = part.indexOf(BREAK + BREAK);
  if (end < 0 || end > MAX_HEADER_BYTES) return undefined;
  const head = toText(part.subarray(0, end));
  if (head === undefined || head.includes('\0')) return undefined;
  const [first = '', second, ...more] = head.split(BREAK);
  const [, name, filename] = DISPOSITION.exec(first) ?? [];
  const isOdd = more.length > 0 || (second !== undefined && !CONTENT_TYPE.test(second));
  if (name === undefined || isOdd) return undefined;
  return { name, isFile: filename !== undefined, content: part.subarray(end + 4) };
}

function toText(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
