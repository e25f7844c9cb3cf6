// Finds the batch named in the path. Responds with 404 if the user has no access to its site.

import type { Batch } from '../../../domain/batches/batch.ts';
import { asBatchId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { notFoundPage } from '../../http/problem-page.ts';

type BatchPage = (context: AuthenticatedContext, batch: Batch, site: Site) => Response | Promise<Response>;

export function withBatch(run: BatchPage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { app, user } = context;
    const batch = await app.batches.find(asBatchId(context.parameters.id ?? ''));
    const site = batch && (await app.sitesFor(user)).find(({ id }) => id === batch.order.siteId);
    return site ? run(context, batch, site) : notFoundPage(context);
  };
}
