// POST /vouchers: orders one voucher, or a batch of several.

import { orderedBy, readTicket, repeatHeaders } from '../../kernel/contract/ordering.ts';
import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import { asPrinterId, asProfileId, asSiteId } from '../../kernel/ids.ts';
import type { ApiKey } from '../../kernel/keys/api-key.ts';
import type { OrderRequest } from '../../kernel/vouchers/order-request.ts';
import type { Placed, PlacementProblem, PlaceOrder } from '../../kernel/vouchers/place-order.ts';
import { trimName } from '../../kernel/vouchers/voucher-name.ts';
import type { IdempotencyTicket } from '../../kernel/vouchers/voucher-records.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../platform/http/handler.ts';
import { offeredLanguage } from '../../platform/text/language.ts';
import { ok, type Result } from '../../platform/values/result.ts';
import { decode, readJson } from './decode.ts';
import type { Found } from './found.ts';
import type { V1Problem } from './problem-details.ts';
import { problemResponse } from './problems.ts';
import { NewVouchers, readTimeS } from './requests.ts';
import type { AcceptedBatch, CreatedVouchers, FieldError } from './responses.ts';

interface Deps {
  placeOrder: PlaceOrder;
  found: Found;
  /** The path that all routes begin with. */
  prefix: string;
}

interface Read {
  order: OrderRequest;
  ticket: IdempotencyTicket | undefined;
}

export function makeCreationMethod({ placeOrder, found, prefix }: Deps): ApiKeyHandler {
  return { POST: { scope: 'write', run: create } };

  async function create(request: HttpRequest, apiKey: ApiKey): Promise<HttpResponse> {
    const body = await request.readBody();
    if (!body.ok) return problemResponse(body.problem, request);
    const read = readOrder(request, apiKey, body.value);
    if (!read.ok) return problemResponse(read.problem, request);
    const { order, ticket } = read.value;
    const placed = await placeOrder(order, orderedBy(request, apiKey), ticket);
    if (!placed.ok) return problemResponse(asOrdered(placed.problem, order), request);
    try {
      return await presentPlaced(placed.value, apiKey, order.replaces);
    } catch (error) {
      // Not as an unavailable database: the response to that says that nothing was done.
      throw new Error('the order was placed, but its result could not be read', { cause: error });
    }
  }

  async function presentPlaced(placed: Placed, apiKey: ApiKey, replaces = false): Promise<HttpResponse> {
    const headers = repeatHeaders(placed);
    if (placed.kind === 'batch') {
      const batch = await found.batch(placed.id, apiKey);
      if (!batch) throw new Error('the batch is missing');
      const accepted: AcceptedBatch = { batch };
      return jsonResponse(202, accepted, { location: `${prefix}/batches/${placed.id}`, ...headers });
    }
    const voucher = await found.voucher(placed.id, apiKey);
    if (!voucher) throw new Error('the voucher is missing');
    const replaced = replaces ? await found.replacedBy(placed.id) : undefined;
    const created: CreatedVouchers = { vouchers: [voucher], ...(replaced && { replaced }) };
    return jsonResponse(201, created, { location: `${prefix}/vouchers/${placed.id}`, ...headers });
  }
}

function readOrder(request: HttpRequest, apiKey: ApiKey, body: Buffer): Result<Read, V1Problem> {
  const fields = readJson(body);
  if (!fields.ok) return fields;
  const ticket = readTicket(request, apiKey, body);
  const ifEnded = request.headers['gastpass-if-ended'];
  const order = decode(NewVouchers, fields.value, [
    ...(ticket.ok ? [] : [WRONG_IDEMPOTENCY_KEY]),
    ...(isIfEnded(ifEnded) ? [] : [WRONG_IF_ENDED]),
    ...findClashes(fields.value),
  ]);
  if (!order.ok) return order;
  if (!ticket.ok) return ticket;
  const isKept = order.value.replaces || ifEnded !== undefined;
  return ok({
    order: toOrderRequest(order.value),
    ticket: ticket.value && { ...ticket.value, ...(isKept && { isKept: true }) },
  });
}

const isIfEnded = (given: unknown) => given === undefined || given === 'conflict';
const WRONG_IF_ENDED: FieldError = { field: 'Gastpass-If-Ended', message: 'must be "conflict"' };

const WRONG_IDEMPOTENCY_KEY: FieldError = {
  field: 'Idempotency-Key',
  message: 'must be 1 to 255 visible ASCII characters',
};

function findClashes(fields: Record<string, unknown>): FieldError[] {
  const [first, ...others] = ['minutes', 'nights', 'ends_at'].filter(
    (field) => (fields[field] ?? null) !== null,
  );
  const { replaces, reference, count = 1 } = fields;
  return [
    ...others.map((field) => ({ field, message: `must not be given together with ${first}` })),
    ...(replaces === true && !reference ? [REFERENCE_MISSING] : []),
    ...(replaces === true && count !== 1 ? [ONE_ONLY] : []),
  ];
}

const REFERENCE_MISSING: FieldError = { field: 'reference', message: 'is required with replaces' };
const ONE_ONLY: FieldError = { field: 'count', message: 'must be 1 with replaces' };

/** An order that says when the voucher ends has no minutes. */
function asOrdered(problem: PlacementProblem, { endsAtS, nights }: OrderRequest): V1Problem {
  if (problem.kind !== 'out-of-bounds' || problem.field !== 'expire_minutes') return problem;
  if (endsAtS === undefined && nights === undefined) return problem;
  const field = nights === undefined ? 'ends_at' : 'nights';
  const message = `must be at most ${problem.max} minutes away at this site`;
  return { kind: 'invalid-request', errors: [{ field, message }] };
}

/** Null is the same as an absent field, except for limits, where it means unlimited. */
function toOrderRequest(given: NewVouchers): OrderRequest {
  const { devices, minutes, nights, ends_at, profile, reference, note, down_kbps, up_kbps, data_mb } = given;
  const endsAtS = ends_at ? readTimeS(ends_at) : undefined;
  const { email, language: tag, print } = given;
  const language = tag ? offeredLanguage(tag) : undefined;
  return {
    siteId: asSiteId(given.site),
    name: trimName(given.name),
    count: given.count ?? 1,
    ...(devices !== undefined && { devices }),
    ...(minutes && { minutes }),
    ...(nights && { nights }),
    ...(endsAtS !== undefined && { endsAtS }),
    ...(down_kbps !== undefined && { downKbps: down_kbps ?? 0 }),
    ...(up_kbps !== undefined && { upKbps: up_kbps ?? 0 }),
    ...(data_mb !== undefined && { quotaMb: data_mb ?? 0 }),
    ...(profile && { profileId: asProfileId(profile) }),
    ...(reference && { reference: trimName(reference) }),
    ...(note && { note: trimName(note) }),
    ...(email && { mail: { address: email, ...(language && { language }) } }),
    ...(print && { print: { printerId: asPrinterId(print) } }),
    ...(given.replaces && { replaces: true }),
  };
}
