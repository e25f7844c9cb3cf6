// Reads a fault from the fields of an HTTP request. Returns the fault, or the list of all invalid fields.

import { APIS, type Fields } from '../http.ts';
import { fail, ok, type Result } from '../result.ts';
import { FAULT_KINDS, FAULT_MATCHES, type Fault } from './fault-list.ts';
import { FAULT_BODIES, FAULT_ENDINGS } from './turn.ts';

type Reader<Value> = (value: unknown) => Value | undefined;

const text: Reader<string> = (value) => (typeof value === 'string' ? value : undefined);
const flag: Reader<boolean> = (value) => (typeof value === 'boolean' ? value : undefined);
const count: Reader<number> = (value) =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
const status: Reader<number> = (value) =>
  typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599 ? value : undefined;
const often: Reader<number | 'always'> = (value) => (value === 'always' ? value : count(value));
const oneOf =
  <Choice extends string>(choices: readonly Choice[]): Reader<Choice> =>
  (value) =>
    choices.find((choice) => choice === value);

const optional: { [Name in Exclude<keyof Fault, 'kind'>]-?: Reader<NonNullable<Fault[Name]>> } = {
  match: oneOf(FAULT_MATCHES),
  api: oneOf(APIS),
  times: often,
  skip: count,
  status,
  body: oneOf(FAULT_BODIES),
  text,
  contentType: text,
  location: text,
  ms: count,
  bytes: (value) => count(value) || undefined,
  retryAfterS: count,
  written: flag,
  ending: oneOf(FAULT_ENDINGS),
};

const readers = new Map<string, Reader<unknown>>(Object.entries(optional));

export function readFault(fields: Fields): Result<Fault, string[]> {
  const kind = oneOf(FAULT_KINDS)(fields.kind);
  const wrong = kind ? [] : [`kind: expected one of ${FAULT_KINDS.join(', ')}`];
  const settings: Fields = {};
  for (const [name, value] of Object.entries(fields)) {
    if (name === 'kind') continue;
    const read = readers.get(name);
    const decoded = read?.(value);
    if (decoded === undefined) wrong.push(read ? `${name}: unfit value` : `${name}: unknown`);
    else settings[name] = decoded;
  }
  return kind && wrong.length === 0 ? ok({ kind, ...settings }) : fail(wrong);
}
