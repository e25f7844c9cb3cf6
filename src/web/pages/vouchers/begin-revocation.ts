// Begins a bulk revocation after its confirmation and leads to its report. A short one has ended by then; a long one
// continues in the background while the report shows the progress.

import { randomUUID } from 'node:crypto';
import { asRevocationId } from '../../../domain/ids.ts';
import type { BulkRevocationStore, NewBulkRevocation } from '../../../domain/vouchers/bulk-revocation.ts';
import type { RevokeMany } from '../../../domain/vouchers/revoke-many.ts';
import type { AuthenticatedContext } from '../../http/context.ts';
import { redirect } from '../../ui/layout.ts';
import { withFrom } from './list-link.ts';

const WORTH_WAITING_MS = 3_000;

export interface RevocationDeps {
  bulkRevocations: BulkRevocationStore;
  revokeMany: RevokeMany;
  /** Tracks work that may outlive its request. */
  runInBackground: (work: Promise<unknown>) => Promise<unknown>;
  stopping: AbortSignal;
}

export async function beginRevocation(
  context: AuthenticatedContext,
  deps: RevocationDeps,
  what: Pick<NewBulkRevocation, 'vouchers' | 'batchId' | 'onlyUnused'>,
): Promise<Response> {
  const id = asRevocationId(randomUUID());
  const by = { userId: context.user.id, ip: context.request.clientIp(), createdAtMs: context.nowMs };
  await deps.bulkRevocations.begin({ id, ...by, ...what });
  return carryOut(context, deps, id);
}

export async function carryOut(
  context: AuthenticatedContext,
  { revokeMany, runInBackground, stopping }: RevocationDeps,
  id: NewBulkRevocation['id'],
): Promise<Response> {
  const revoking = runInBackground(revokeMany(id, stopping));
  await Promise.race([revoking, new Promise((resolve) => setTimeout(resolve, WORTH_WAITING_MS).unref())]);
  return redirect(context, withFrom(context, `/revocations/${id}`));
}
