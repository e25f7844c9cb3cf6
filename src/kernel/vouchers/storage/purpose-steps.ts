// What a feature adds to the intents of its purposes: see `OrderPurposes`. Each method does nothing for other purposes.

import type { Database, Handle } from '../../../platform/database/database.ts';
import type { ScreenId, VoucherId } from '../../ids.ts';
import type { OrderProblem } from '../../problem.ts';
import type { OrderPurpose } from '../order-purpose.ts';
import type { Intent, NewIntent } from '../voucher-records.ts';

/** The steps run in the transaction of the intent itself. */
export interface PurposeSteps {
  /** What an intent stores besides the kind. */
  toId(purpose: OrderPurpose): number | undefined;
  read(kind: string, id: number): OrderPurpose | undefined;
  /** The screen that the recorded voucher counts for. */
  screenOf?(purpose: OrderPurpose): ScreenId | undefined;
  /** Called before the intent is stored, because a stored intent counts as a place that is taken. */
  takePlace(
    transaction: Handle,
    intent: NewIntent,
    database: Pick<Database, 'now' | 'lockedRows'>,
  ): Promise<OrderProblem | undefined>;
  /** Called when the voucher is recorded. */
  fulfil?(
    transaction: Handle,
    intent: Intent,
    recorded: { voucherId: VoucherId } & Pick<Database, 'now'>,
  ): Promise<void>;
  /** Called when the intent is abandoned: no voucher was created. */
  giveBack?(transaction: Handle, intent: Intent): Promise<void>;
}
