// What the orders of both APIs have in common: who orders, and the Idempotency-Key.

import { hash } from 'node:crypto';
import type { HttpRequest } from '../../platform/http/handler.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { ApiKey } from '../keys/api-key.ts';
import type { OrderedByKey } from '../vouchers/create-vouchers.ts';
import type { IdempotencyTicket } from '../vouchers/voucher-records.ts';

export function orderedBy(request: HttpRequest, { id, name, sites }: ApiKey): OrderedByKey {
  return { actor: { kind: 'key', id, name }, requestId: request.id, ip: request.clientIp(), keySites: sites };
}

/** @param further what belongs to the request besides its body */
export function readTicket(
  { headers }: HttpRequest,
  apiKey: ApiKey,
  body: Buffer,
  further: string[] = [],
): Result<IdempotencyTicket | undefined, { kind: 'idempotency-key-malformed' }> {
  const key = headers['idempotency-key'];
  if (key === undefined) return ok(undefined);
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
    return fail({ kind: 'idempotency-key-malformed' });
  const ofBody = hash('sha256', body);
  const bodyHash = further.length === 0 ? ofBody : hash('sha256', [ofBody, ...further].join('\n'));
  return ok({ apiKeyId: apiKey.id, key, bodyHash });
}

export function repeatHeaders({ replayed, freed }: { replayed: boolean; freed: boolean }) {
  return {
    ...(replayed && { 'idempotent-replayed': 'true' }),
    ...(freed && { 'idempotency-key-freed': 'true' }),
  };
}
