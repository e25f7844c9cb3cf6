// Finds the last attempt to create the vouchers of a batch.

import type { AuthenticatedContext } from '../../pages/context.ts';
import { type Batch, retryIdOf } from '../batch.ts';

/** Each attempt is a batch of its own. */
export async function lastAttempt({ app }: AuthenticatedContext, batch: Batch): Promise<Batch> {
  let last = batch;
  for (let next: Batch | undefined = batch; next; next = await app.batches.find(retryIdOf(last.id)))
    last = next;
  return last;
}
