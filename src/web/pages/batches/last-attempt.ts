// Finds the last attempt to create the vouchers of a batch.

import { type Batch, retryIdOf } from '../../../domain/batches/batch.ts';
import type { AuthenticatedContext } from '../../http/context.ts';

/** Each attempt is a batch of its own. */
export async function lastAttempt({ app }: AuthenticatedContext, batch: Batch): Promise<Batch> {
  let last = batch;
  for (let next: Batch | undefined = batch; next; next = await app.batches.find(retryIdOf(last.id)))
    last = next;
  return last;
}
