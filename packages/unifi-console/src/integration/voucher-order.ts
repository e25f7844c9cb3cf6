// Reads the body of an order in the official API: the voucher to create and the count, or the refusal. The bounds and
// the error messages are those of a real controller.

import { type Fields, parseFields } from '../http.ts';
import { fail, ok, type Result } from '../result.ts';
import type { NewVoucher } from '../voucher-store.ts';
import { badRequest, outOfBounds, type Refusal } from './refusal.ts';

interface Bound {
  min: number;
  max: number;
}

const MAX_VALUE = Number.MAX_SAFE_INTEGER;
const NUMBERS: Record<string, Bound> = {
  count: { min: 1, max: 1000 },
  timeLimitMinutes: { min: 1, max: 1_000_000 },
  authorizedGuestLimit: { min: 1, max: MAX_VALUE },
  dataUsageLimitMBytes: { min: 1, max: 1_048_576 },
  rxRateLimitKbps: { min: 2, max: 100_000 },
  txRateLimitKbps: { min: 2, max: 100_000 },
};

export interface IntegrationOrder {
  /** Undefined if the request has no count. */
  count: number | undefined;
  voucher: Omit<NewVoucher, 'siteId' | 'adminName'>;
}

export function readVoucherOrder(body: string): Result<IntegrationOrder, Refusal> {
  const fields = parseFields(body);
  if (!fields) return fail(badRequest('Request body is missing or malformed'));
  const problem = findProblem(fields);
  if (problem) return fail(problem);

  const { name } = fields;
  const durationMinutes = numberOf(fields, 'timeLimitMinutes');
  if (typeof name !== 'string') return fail(outOfBounds('name must not be null'));
  if (name === '') return fail(outOfBounds('name size must be between 1 and 2147483647'));
  if (durationMinutes === null) return fail(outOfBounds('timeLimitMinutes must not be null'));
  const voucher = { note: name, durationMinutes, quota: numberOf(fields, 'authorizedGuestLimit') ?? 0 };
  return ok({
    count: numberOf(fields, 'count') ?? undefined,
    voucher: { ...voucher, ...readLimits(fields) },
  });
}

/** Reads the limits of a voucher, or of a guest who is authorised by command. */
export function readLimits(fields: Fields): Pick<NewVoucher, 'downKbps' | 'upKbps' | 'usageQuotaMb'> {
  return {
    downKbps: numberOf(fields, 'rxRateLimitKbps'),
    upKbps: numberOf(fields, 'txRateLimitKbps'),
    usageQuotaMb: numberOf(fields, 'dataUsageLimitMBytes'),
  };
}

/** The refusal for the first property that is unknown, of a wrong type or out of bounds. Null counts as absent. */
export function findProblem(fields: Fields, others: readonly string[] = ['name']): Refusal | undefined {
  for (const [name, value] of Object.entries(fields)) {
    const bound = Object.hasOwn(NUMBERS, name) ? NUMBERS[name] : undefined;
    if (!bound && !others.includes(name))
      return {
        status: 400,
        code: 'api.request.unknown-property',
        message: `Unknown request body property '$.${name}'`,
      };
    const problem = bound && value !== null && findNumberProblem(name, value, bound);
    if (problem) return outOfBounds(problem);
  }
  return undefined;
}

function findNumberProblem(name: string, value: unknown, { min, max }: Bound): string | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return `${name} must be an integer`;
  if (value < min) return `${name} must be greater than or equal to ${min}`;
  if (value > max) return `${name} must be less than or equal to ${max}`;
  return undefined;
}

export function numberOf(fields: Fields, name: string): number | null {
  const value = fields[name];
  return typeof value === 'number' ? value : null;
}
