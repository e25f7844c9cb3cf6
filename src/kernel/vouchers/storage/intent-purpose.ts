// The additional steps of intents with a purpose: storing the intent takes a place, recording its voucher fulfils the
// purpose, and abandoning the intent gives the place back. Each step runs in the transaction of the intent itself.

import type { Database, Handle } from '../../../platform/database/database.ts';
import type { VoucherId } from '../../ids.ts';
import type { OrderProblem } from '../../problem.ts';
import type { Intent, NewIntent } from '../voucher-records.ts';
import type { PurposeSteps } from './purpose-steps.ts';
import { markReplaced, replaceOthers } from './rebooking-queries.ts';

/** Thrown in a transaction, so that the whole transaction is rolled back. */
export class PurposeRefused extends Error {
  readonly problem: OrderProblem;
  constructor(problem: OrderProblem) {
    super(problem.kind);
    this.problem = problem;
  }
}

/** Call it before the intent is stored. */
export async function takePlace(
  transaction: Handle,
  intent: NewIntent,
  {
    database,
    purposes,
  }: { database: Pick<Database, 'now' | 'lockedRows'>; purposes: readonly PurposeSteps[] },
): Promise<void> {
  for (const steps of purposes) {
    const problem = await steps.takePlace(transaction, intent, database);
    if (problem) throw new PurposeRefused(problem);
  }
}

export async function fulfilPurpose(
  transaction: Handle,
  intent: Intent,
  {
    purposes,
    ...recorded
  }: { voucherId: VoucherId; purposes: readonly PurposeSteps[] } & Pick<Database, 'now'>,
): Promise<void> {
  const { purpose } = intent;
  if (purpose?.kind === 'rebooking') await replaceOthers(transaction, intent, recorded);
  if (purpose?.kind === 'superseded') await markReplaced(transaction, recorded.voucherId, purpose);
  for (const steps of purposes) await steps.fulfil?.(transaction, intent, recorded);
}

/** Whether only one voucher of the intent's reference may live. */
export function isRebooking({ purpose }: Intent): boolean {
  return purpose?.kind === 'rebooking' || purpose?.kind === 'superseded';
}
