// Converts the body of POST /vouchers.php to a VoucherOrder, or returns the first problem in the order that the API
// contract defines. Applies the contract's lenient parsing; does not check whether the site exists.

import { readInteger } from '../../platform/http/read-integer.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { InputProblem } from '../problem.ts';
import { findNameProblem, trimName } from '../vouchers/voucher-name.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  DEFAULT_MAX_USES,
  findOutOfBounds,
  type VoucherOrder,
} from '../vouchers/voucher-order.ts';
import { type Fields, isObject } from './read-fields.ts';
import { parseSiteId } from './read-site-id.ts';

export function readVoucherOrder(fields: Fields): Result<VoucherOrder, InputProblem> {
  const siteId = parseSiteId(fields.site_id);
  if (siteId === undefined) return fail({ kind: 'site-id-missing' });

  const name = readName(fields.name);
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
  // A number is accepted as a name only in plain decimal notation, with at most 15 integer digits. A longer number may
  // have lost precision.
  if (typeof value === 'number') return /^-?\d{1,15}(\.\d+)?$/.test(String(value)) ? String(value) : '';
  return typeof value === 'string' ? trimName(value) : '';
}
