// Finds the batch named in the path. Responds with 404 if the user has no access to its site.

import type { Batch, BatchStore } from '../../../domain/batches/batch.ts';
import { asBatchId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import type { SitesFor } from '../../../domain/sites/sites-for.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { problemPage } from '../../http/problem-page.ts';

export interface BatchDeps {
  batches: Pick<BatchStore, 'find'>;
  sitesFor: SitesFor;
}

export async function withBatch(
  context: AuthenticatedContext,
  { batches, sitesFor }: BatchDeps,
  run: (context: AuthenticatedContext, batch: Batch, site: Site) => Response | Promise<Response>,
): Promise<Response> {
  const batch = await batches.find(asBatchId(context.parameters.id ?? ''));
  const site = batch && (await sitesFor(context.user)).find(({ id }) => id === batch.order.siteId);
  return site ? run(context, batch, site) : problemPage(context, 404, context.messages.problem.notFound);
}
