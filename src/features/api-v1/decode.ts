// Decodes the body and the query of a request with the schemas of requests.ts. Finds all errors, not only the first.

import { isUtf8 } from 'node:buffer';
import { type GenericSchema, type InferOutput, type StrictObjectSchema, safeParse } from 'valibot';
import { type Fields, isObject } from '../../kernel/contract/read-fields.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { V1Problem } from './problem-details.ts';
import type { FieldError } from './responses.ts';

/** A body of 64 KiB has room for thousands of unknown fields. */
const MAX_ERRORS = 50;
const MAX_NAME_LENGTH = 100;

type ObjectSchema = GenericSchema & StrictObjectSchema<Record<string, GenericSchema>, undefined | string>;
type InvalidJson = Extract<V1Problem, { kind: 'invalid-json' }>;
type InvalidRequest = Extract<V1Problem, { kind: 'invalid-request' }>;

/** Returns the fields of a body that is a JSON object. */
export function readJson(body: Buffer): Result<Fields, InvalidJson> {
  const broken = (text: string) => fail({ kind: 'invalid-json' as const, text });
  if (body.length === 0) return broken('The body is empty.');
  if (!isUtf8(body)) return broken('The body is not UTF-8.');
  const text = body.toString('utf8');
  if (text.startsWith('\ufeff')) return broken('The body begins with a byte order mark. Send it without.');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return broken(whereOf(error));
  }
  return isObject(value) ? ok(value) : broken('The body is JSON, but not an object.');
}

/** Without the part of the body that the engine quotes: it may be a secret. */
function whereOf(error: unknown): string {
  const [place] =
    /position \d+ \(line \d+ column \d+\)/.exec(error instanceof Error ? error.message : '') ?? [];
  return place ? `The body is not JSON: error at ${place}.` : 'The body is not JSON: it ends too early.';
}

/** Numbers in a query are text. A parameter that is given more than once is an error. */
export function readQuery(
  query: string,
  numeric: readonly string[],
): { fields: Fields; errors: FieldError[] } {
  const fields = new Map<string, unknown>();
  const errors: FieldError[] = [];
  for (const [field, value] of new URLSearchParams(query)) {
    if (fields.has(field)) errors.push({ field, message: 'must not be given more than once' });
    fields.set(field, numeric.includes(field) && /^\d{1,15}$/.test(value) ? Number(value) : value);
  }
  return { fields: Object.fromEntries(fields), errors };
}

/** `more`: errors that the caller has found itself. */
export function decode<Schema extends ObjectSchema>(
  schema: Schema,
  fields: Fields,
  more: FieldError[] = [],
): Result<InferOutput<Schema>, InvalidRequest> {
  const unknown = Object.keys(fields)
    .filter((field) => !Object.hasOwn(schema.entries, field))
    .map((field) => ({ field: field.slice(0, MAX_NAME_LENGTH), message: 'is not known' }));
  const parsed = safeParse(schema, fields);
  // The schema reports only the first unknown field.
  const issues = parsed.success ? [] : parsed.issues.filter(({ expected }) => expected !== 'never');
  const invalid = issues.map((issue) => ({
    field: String(issue.path?.[0]?.key ?? ''),
    message: issue.message,
  }));
  const errors = oncePerField([...more, ...invalid, ...unknown]);
  if (errors.length > 0) return fail({ kind: 'invalid-request', errors: errors.slice(0, MAX_ERRORS) });
  return parsed.success ? ok(parsed.output) : fail({ kind: 'invalid-request', errors: [] });
}

function oncePerField(errors: FieldError[]): FieldError[] {
  return [...new Map(errors.toReversed().map((error) => [error.field, error])).values()].reverse();
}
