// The additional steps of intents with a purpose: storing the intent takes a place, recording its voucher fulfils the
// purpose, and abandoning the intent gives the place back. Each step runs in the transaction of the intent itself.

import { beginApproval, finishApproval, undoApproval } from '../../../features/requests/purpose-queries.ts';
import { findScreenProblem } from '../../../features/screens/place-queries.ts';
import type { Database, Handle } from '../../../platform/database/database.ts';
import type { VoucherId } from '../../ids.ts';
import type { PurposeProblem } from '../order-purpose.ts';
import type { Intent, NewIntent } from '../voucher-records.ts';
import { markReplaced, replaceOthers } from './rebooking-queries.ts';

/** Thrown in a transaction, so that the whole transaction is rolled back. */
export class PurposeRefused extends Error {
  readonly problem: PurposeProblem;
  constructor(problem: PurposeProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Call it before the intent is stored, because a stored intent counts as a place that is taken. */
export async function takePlace(
  transaction: Handle,
  { purpose, siteId, actor }: NewIntent,
  database: Pick<Database, 'now' | 'lockedRows'>,
): Promise<void> {
  const problem = await findProblem();
  if (problem) throw new PurposeRefused(problem);

  async function findProblem(): Promise<PurposeProblem | undefined> {
    switch (purpose?.kind) {
      case 'screen':
        return findScreenProblem(transaction, { screenId: purpose.screenId, siteId }, database);
      case 'request':
        return beginApproval(transaction, purpose.requestId, actor);
      default:
        return undefined;
    }
  }
}

/** Does nothing for a place of a screen: the voucher takes the place over from the intent. */
export async function fulfilPurpose(
  transaction: Handle,
  intent: Intent,
  { voucherId, now }: { voucherId: VoucherId } & Pick<Database, 'now'>,
): Promise<void> {
  const { purpose, actor, ip } = intent;
  if (purpose?.kind === 'rebooking') await replaceOthers(transaction, intent, { voucherId, now });
  if (purpose?.kind === 'superseded') await markReplaced(transaction, voucherId, purpose);
  if (purpose?.kind !== 'request') return;
  await finishApproval(transaction, {
    requestId: purpose.requestId,
    voucherId,
    actor,
    ...(ip !== undefined && { ip }),
    now,
  });
}

/** Whether only one voucher of the intent's reference may live. */
export function isRebooking({ purpose }: Intent): boolean {
  return purpose?.kind === 'rebooking' || purpose?.kind === 'superseded';
}

/** Does nothing for a place of a screen: it is free when the intent is gone. */
export async function giveBack(transaction: Handle, { purpose }: Intent): Promise<void> {
  if (purpose?.kind === 'request') await undoApproval(transaction, purpose.requestId);
}
