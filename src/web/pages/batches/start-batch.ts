// Starts the creation of a batch and redirects to its page. If a batch with the same id exists, nothing is created.

import type { NewBatch } from '../../../domain/batches/batch.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { redirect } from '../../ui/layout.ts';

/** A batch that takes longer is created in the background, while its page shows the progress. */
const WORTH_WAITING_MS = 3_000;

export async function startBatch(
  context: AuthenticatedContext,
  order: Pick<NewBatch, 'id' | 'order' | 'wanted' | 'insteadOf'>,
  { prints, isFromReserve }: { prints: boolean; isFromReserve?: true },
): Promise<Response> {
  const { user, request, nowMs, app } = context;
  const batch = {
    ...order,
    userId: user.id,
    createdAtMs: nowMs,
    ...(isFromReserve && { isFromReserve }),
  };
  const make = isFromReserve ? app.handOutBatch : app.createBatch;
  await waitAWhile(context, make(batch, user, { ip: request.clientIp(), requestId: request.id }));
  return redirect(context, `/batches/${batch.id}${prints ? '?print' : ''}`);
}

/** Waits until the batch has ended, but not for long. */
export async function waitAWhile({ app }: AuthenticatedContext, filling: Promise<unknown>): Promise<void> {
  const ended = app.runInBackground(filling);
  await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS).unref())]);
}
