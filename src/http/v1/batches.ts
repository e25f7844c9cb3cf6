// GET /batches/{id}: the progress and the vouchers of a batch.

import { jsonResponse } from '../handler.ts';
import type { ApiKeyHandler } from '../with-api-key.ts';
import type { Found } from './found.ts';
import { readBatchId } from './parameters.ts';
import { problemResponse } from './problems.ts';

export function makeBatchHandler(found: Pick<Found, 'batch'>): ApiKeyHandler {
  return {
    GET: {
      scope: 'read',
      async run(request, apiKey) {
        const id = readBatchId(request);
        const batch = id === undefined ? undefined : await found.batch(id, apiKey);
        return batch ? jsonResponse(200, batch) : problemResponse({ kind: 'batch-not-found' }, request);
      },
    },
  };
}
