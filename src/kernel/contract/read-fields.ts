// Reads the body of a request as the API contract defines it: a body that is not a JSON object counts as {}. The
// response then says that a field is missing, so the log and a header give the actual reason.

import { isUtf8 } from 'node:buffer';
import type { HttpRequest } from '../../platform/http/handler.ts';
import type { Log } from '../../platform/log/log.ts';
import { ok, type Result } from '../../platform/values/result.ts';
import type { HttpProblem } from './problem-response.ts';

export type Fields = Record<string, unknown>;

interface Read {
  fields: Fields;
  bytes: Buffer;
}

/** The texts are constant: a header must not repeat what a client sent. */
const HINTS = {
  'empty body': 'the body is empty, so it was treated as {}',
  'body is not UTF-8': 'the body is not UTF-8, so it was treated as {}',
  'body is not JSON': 'the body is not valid JSON, so it was treated as {}',
  'body is not a JSON object': 'the body is not a JSON object, so it was treated as {}',
};

export async function readFields(request: HttpRequest, log: Log): Promise<Result<Read, HttpProblem>> {
  const body = await request.readBody();
  if (!body.ok) return body;
  const fields = parseFields(body.value);
  if (typeof fields === 'object') return ok({ fields, bytes: body.value });
  log.info({ requestId: request.id, ignoredBecause: fields }, 'body ignored, treated as {}');
  request.responseHeaders = { ...request.responseHeaders, 'gastpass-hint': HINTS[fields] };
  return ok({ fields: {}, bytes: body.value });
}

/** Returns the reason if the body is not a JSON object. */
function parseFields(body: Buffer): Fields | keyof typeof HINTS {
  if (body.length === 0) return 'empty body';
  if (!isUtf8(body)) return 'body is not UTF-8';
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return 'body is not JSON';
  }
  return isObject(value) ? value : 'body is not a JSON object';
}

export function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
