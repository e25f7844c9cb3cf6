// GET /vouchers/{id}, GET /vouchers/by-code/{site}/{code} and POST /vouchers/{id}/revoke.

import { orderedBy } from '../../kernel/contract/ordering.ts';
import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import { asSiteId, asVoucherId } from '../../kernel/ids.ts';
import type { ApiKey } from '../../kernel/keys/api-key.ts';
import type { RevokeById } from '../../kernel/vouchers/revoke-by-id.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../../platform/http/handler.ts';
import type { Found } from './found.ts';
import { readId } from './path-parameters.ts';
import { problemResponse } from './problems.ts';
import type { VoucherWithHistory } from './responses.ts';

interface Deps {
  found: Found;
  revokeById: RevokeById;
}

export function makeVoucherHandlers({
  found,
  revokeById,
}: Deps): Record<'byId' | 'byCode' | 'revoke', ApiKeyHandler> {
  const byId = async (request: HttpRequest, apiKey: ApiKey) => {
    const id = readId(request);
    const voucher = id === undefined ? undefined : await found.withHistory(asVoucherId(id), apiKey);
    return respond(voucher, request);
  };

  return {
    byId: { GET: { scope: 'read', run: byId } },
    byCode: {
      GET: {
        scope: 'read',
        async run(request, apiKey) {
          const site = readId(request);
          const code = (request.parameters?.[1] ?? '').replaceAll(/[\s-]/g, '');
          const voucher = site === undefined ? undefined : await found.byCode(asSiteId(site), code, apiKey);
          return respond(voucher, request);
        },
      },
    },
    revoke: {
      POST: {
        scope: 'write',
        async run(request, apiKey) {
          const id = readId(request);
          const problem = id
            ? await revokeById(asVoucherId(id), orderedBy(request, apiKey))
            : ({ kind: 'voucher-not-found' } as const);
          return problem ? problemResponse(problem, request) : byId(request, apiKey);
        },
      },
    },
  };
}

function respond(voucher: VoucherWithHistory | undefined, request: HttpRequest): HttpResponse {
  return voucher ? jsonResponse(200, voucher) : problemResponse({ kind: 'voucher-not-found' }, request);
}
