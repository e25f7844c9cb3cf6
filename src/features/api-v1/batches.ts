// GET /batches/{id}: the progress and the vouchers of a batch. POST /batches/{id}/resume: orders the missing vouchers.

import type { ResumeBatch } from '../../kernel/batches/resume-batch.ts';
import { orderedBy } from '../../kernel/contract/ordering.ts';
import type { ApiKeyHandler } from '../../kernel/contract/with-api-key.ts';
import { jsonResponse } from '../../platform/http/handler.ts';
import type { Found } from './found.ts';
import { readBatchId } from './path-parameters.ts';
import { problemResponse } from './problems.ts';
import type { AcceptedBatch } from './responses.ts';

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

interface ResumeDeps {
  found: Pick<Found, 'batch'>;
  resumeBatch: ResumeBatch;
  runInBackground: (work: Promise<unknown>) => void;
}

export function makeResumeHandler({ found, resumeBatch, runInBackground }: ResumeDeps): ApiKeyHandler {
  return {
    POST: {
      scope: 'write',
      async run(request, apiKey) {
        const id = readBatchId(request);
        if (id === undefined || !(await found.batch(id, apiKey)))
          return problemResponse({ kind: 'batch-not-found' }, request);
        const { keySites: _, ...by } = orderedBy(request, apiKey);
        const resumed = await resumeBatch(id, by);
        if (!resumed.ok) return problemResponse(resumed.problem, request);
        runInBackground(resumed.value.filling);
        const batch = await found.batch(id, apiKey);
        if (!batch) throw new Error('the batch is missing');
        return jsonResponse(202, { batch } satisfies AcceptedBatch);
      },
    },
  };
}
