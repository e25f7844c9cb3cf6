// Finds the batch named in the path. Responds with 404 if the user has no access to its site.

import { asBatchId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { notFoundPage } from '../../pages/problem-page.ts';
import type { Site } from '../../sites/site.ts';
import type { Batch } from '../batch.ts';

type BatchPage = (context: AuthenticatedContext, batch: Batch, site: Site) => Response | Promise<Response>;

export function withBatch(run: BatchPage): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const { app, user } = context;
    const batch = await app.batches.find(asBatchId(context.parameters.id ?? ''));
    const site = batch && (await app.sitesFor(user)).find(({ id }) => id === batch.order.siteId);
    return site ? run(context, batch, site) : notFoundPage(context);
  };
}
