// Begins a bulk revocation and redirects to its report. A short revocation has ended when the report opens. A long one
// continues in the background while the report shows its progress.

import { randomUUID } from 'node:crypto';
import { asBulkRevocationId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { redirect } from '../../pages/layout.ts';
import { waitAWhile } from '../../pages/wait-a-while.ts';
import type { NewBulkRevocation } from '../bulk-revocation.ts';
import { withFrom } from './list-link.ts';

export async function beginBulkRevocation(
  context: AuthenticatedContext,
  what: Pick<NewBulkRevocation, 'vouchers' | 'batchId' | 'onlyUnused'>,
): Promise<Response> {
  const id = asBulkRevocationId(randomUUID());
  const by = { userId: context.user.id, ip: context.request.clientIp(), createdAtMs: context.nowMs };
  await context.app.bulkRevocations.begin({ id, ...by, ...what });
  return carryOut(context, id);
}

export async function carryOut(
  context: AuthenticatedContext,
  id: NewBulkRevocation['id'],
): Promise<Response> {
  const { runBulkRevocation, stopping } = context.app;
  await waitAWhile(context, runBulkRevocation(id, stopping));
  return redirect(context, withFrom(context, `/revocations/${id}`));
}
