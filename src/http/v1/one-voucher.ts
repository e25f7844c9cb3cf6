// GET /vouchers/{id}, GET /vouchers/by-code/{site}/{code}, POST /vouchers/{id}/revoke and GET /batches/{id}.

import { asSiteId, asVoucherId } from '../../domain/ids.ts';
import type { ApiKey } from '../../domain/keys/api-key.ts';
import type { RevokeById } from '../../domain/vouchers/revoke-by-id.ts';
import { type HttpRequest, type HttpResponse, jsonResponse } from '../handler.ts';
import type { ApiKeyHandler } from '../with-api-key.ts';
import { type Found, orderedBy } from './found.ts';
import { readBatchId, readId } from './parameters.ts';
import type { V1Problem } from './problem-details.ts';
import { problemResponse } from './problems.ts';

interface Deps {
  found: Found;
  revokeById: RevokeById;
}

export function makeThingHandlers({
  found,
  revokeById,
}: Deps): Record<'byId' | 'byCode' | 'revoke' | 'batch', ApiKeyHandler> {
  const byId = async (request: HttpRequest, apiKey: ApiKey) => {
    const id = readId(request);
    const voucher = id && (await found.withHistory(asVoucherId(id), apiKey));
    return foundOr({ kind: 'voucher-not-found' }, voucher, request);
  };

  return {
    byId: { GET: { scope: 'read', run: byId } },
    byCode: {
      GET: {
        scope: 'read',
        async run(request, apiKey) {
          const site = readId(request);
          const code = (request.parameters?.[1] ?? '').replaceAll(/[\s-]/g, '');
          const voucher = site && (await found.byCode(asSiteId(site), code, apiKey));
          return foundOr({ kind: 'voucher-not-found' }, voucher, request);
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
    batch: {
      GET: {
        scope: 'read',
        async run(request, apiKey) {
          const id = readBatchId(request);
          return foundOr({ kind: 'batch-not-found' }, id && (await found.batch(id, apiKey)), request);
        },
      },
    },
  };
}

function foundOr(missing: V1Problem, thing: unknown, request: HttpRequest): HttpResponse {
  return thing ? jsonResponse(200, thing) : problemResponse(missing, request);
}
