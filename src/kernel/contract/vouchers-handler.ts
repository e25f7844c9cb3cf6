// GET and POST /vouchers.php: reads the request, calls the use case and converts the result to a response.

import { type HttpRequest, type HttpResponse, jsonResponse } from '../../platform/http/handler.ts';
import type { Log } from '../../platform/log/log.ts';
import type { SiteId } from '../ids.ts';
import { type ApiKey, includesSite } from '../keys/api-key.ts';
import type { VerifiedKey } from '../keys/verify-key.ts';
import type { CreateVoucher } from '../vouchers/create-vouchers.ts';
import { readGuestHeaders } from './guest-headers.ts';
import { orderedBy, readTicket, repeatHeaders } from './ordering.ts';
import { presentCreated } from './present-voucher.ts';
import { problemResponse } from './problem-response.ts';
import { readFields } from './read-fields.ts';
import { parseSiteId } from './read-site-id.ts';
import { readVoucherOrder } from './read-voucher-order.ts';
import { EMPTY_LIST, type KnownVersion } from './voucher-list-cache.ts';
import type { ApiKeyHandler } from './with-api-key.ts';

interface Deps {
  listResponse: (siteId: SiteId, known?: KnownVersion) => Promise<HttpResponse>;
  createVoucher: CreateVoucher;
  log: Log;
}

export function makeVouchersHandler({ listResponse, createVoucher, log }: Deps): ApiKeyHandler {
  return { GET: { scope: 'read', run: list, listedSite }, POST: { scope: 'write', run: create } };

  async function list(request: HttpRequest, { sites, list: known }: VerifiedKey): Promise<HttpResponse> {
    const siteId = listedSite(request);
    if (siteId === undefined) return problemResponse({ kind: 'site-id-missing' });
    return includesSite(sites, siteId) ? listResponse(siteId, known) : EMPTY_LIST;
  }

  async function create(request: HttpRequest, apiKey: ApiKey): Promise<HttpResponse> {
    const body = await readFields(request, log);
    if (!body.ok) return problemResponse(body.problem);
    const { fields, bytes } = body.value;
    const order = readVoucherOrder(fields);
    if (!order.ok) return problemResponse(order.problem);
    const guest = readGuestHeaders(request);
    if (!guest.ok) return problemResponse(guest.problem);
    const { sent, ...wishes } = guest.value;
    const ticket = readTicket(request, apiKey, bytes, sent);
    if (!ticket.ok) return problemResponse(ticket.problem);

    const ordered = { ...order.value, ...wishes };
    const creation = await createVoucher(ordered, orderedBy(request, apiKey), ticket.value);
    if (!creation.ok) return problemResponse(creation.problem);
    const { replayed, freed, ...created } = creation.value;
    return jsonResponse(201, presentCreated(created), repeatHeaders({ replayed, freed }));
  }
}

function listedSite({ query }: HttpRequest): SiteId | undefined {
  return parseSiteId(readSiteIdParameter(query));
}

/** If the parameter is repeated, the last value counts. */
function readSiteIdParameter(query: string): string | undefined {
  // Fast path for nearly all requests: URLSearchParams would take a tenth of the time of a list request.
  const plain = /^site_id=(\d+)$/.exec(query)?.[1];
  return plain ?? new URLSearchParams(query).getAll('site_id').at(-1);
}
