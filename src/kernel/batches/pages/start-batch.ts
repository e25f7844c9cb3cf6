// Starts the creation of a batch and redirects to its page. If a batch with the same id exists, nothing is created.

import type { AuthenticatedContext } from '../../pages/context.ts';
import { redirect } from '../../pages/layout.ts';
import { waitAWhile } from '../../pages/wait-a-while.ts';
import type { NewBatch } from '../batch.ts';
import type { CreateBatch } from '../create-batch.ts';

export async function startBatch(
  context: AuthenticatedContext,
  order: Omit<NewBatch, 'userId' | 'createdAtMs'>,
  { prints, make = context.app.createBatch }: { prints: boolean; make?: CreateBatch },
): Promise<Response> {
  const { user, request, nowMs } = context;
  const batch = { ...order, userId: user.id, createdAtMs: nowMs };
  await waitAWhile(context, make(batch, user, { ip: request.clientIp(), requestId: request.id }));
  return redirect(context, `/batches/${batch.id}${prints ? '?print' : ''}`);
}
