// The body of POST /vouchers.php → a VoucherOrder in our words and units, or the first thing wrong with
// it, in the contract's order. Knows the contract's leniency; knows nothing of sites and controllers.

import { isUtf8 } from 'node:buffer';
import type { InputProblem } from '../domain/problem.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  DEFAULT_MAX_USES,
  findOutOfBounds,
  MAX_NAME_LENGTH,
  type VoucherOrder,
} from '../domain/vouchers/voucher-order.ts';
import { readInteger } from './read-integer.ts';
import { readSiteId } from './read-site-id.ts';

type Fields = Record<string, unknown>;

/** What counts as an empty object, and why, for the log. */
export function readFields(body: Buffer): { fields: Fields; ignoredBecause?: string } {
  if (body.length === 0) return { fields: {}, ignoredBecause: 'empty body' };
  if (!isUtf8(body)) return { fields: {}, ignoredBecause: 'body is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(body.toString('utf8'));
  } catch {
    return { fields: {}, ignoredBecause: 'body is not JSON' };
  }
  return isObject(value) ? { fields: value } : { fields: {}, ignoredBecause: 'body is not a JSON object' };
}

export function readVoucherOrder(fields: Fields): Result<VoucherOrder, InputProblem> {
  const siteId = readSiteId(fields.site_id);
  if (siteId === undefined) return fail({ kind: 'site-id-missing' });

  const name = readName(fields.name);
  if (name === '') return fail({ kind: 'name-missing' });
  const nameProblem = findNameProblem(name);
  if (nameProblem) return fail(nameProblem);

  const qos = isObject(fields.qos) ? fields.qos : {};
  const order = {
    siteId,
    name,
    maxUses: atLeastOne(fields.max_uses, DEFAULT_MAX_USES),
    expireMinutes: atLeastOne(fields.expire_minutes, DEFAULT_EXPIRE_MINUTES),
    downKbps: atLeastZero(qos.down),
    upKbps: atLeastZero(qos.up),
    quotaMb: atLeastZero(qos.quota_mb),
  };
  const outOfBounds = findOutOfBounds(order);
  return outOfBounds ? fail(outOfBounds) : ok(order);
}

function atLeastOne(value: unknown, otherwise: number): number {
  const number = readInteger(value) ?? otherwise;
  return number < 1 ? otherwise : number;
}

function atLeastZero(value: unknown): number {
  return Math.max(0, readInteger(value) ?? 0);
}

function readName(value: unknown): string {
  // Beyond these a number has lost digits or has no plain decimal text.
  if (typeof value === 'number') return /^-?\d{1,15}(\.\d+)?$/.test(String(value)) ? String(value) : '';
  return typeof value === 'string' ? trimWhiteSpace(value) : '';
}

function findNameProblem(name: string): InputProblem | undefined {
  // A lone half of a surrogate pair cannot be stored as it came.
  if (/\p{Cc}/u.test(name) || !name.isWellFormed()) return { kind: 'name-not-plain' };
  if (name.length > MAX_NAME_LENGTH && [...name].length > MAX_NAME_LENGTH)
    return { kind: 'name-too-long', maxCharacters: MAX_NAME_LENGTH };
  return undefined;
}

/** From both ends inwards: a regular expression would take quadratic time on long runs of blanks. */
function trimWhiteSpace(text: string): string {
  const isBlank = (index: number) => /[\p{White_Space}\uFEFF]/u.test(text.charAt(index));
  let start = 0;
  let end = text.length;
  while (start < end && isBlank(start)) start++;
  while (end > start && isBlank(end - 1)) end--;
  return text.slice(start, end);
}

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
