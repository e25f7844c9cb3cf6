// Settles open intents when a test calls it. In production, a background worker does this.

import { LATE_CREATION_MS, type SettleTally } from '../../../src/kernel/vouchers/settle-intents.ts';
import { makeSyncUseCases } from '../../../src/kernel/vouchers/sync-use-cases.ts';
import { REQUEST_DEADLINE_MS } from '../../../src/platform/time/deadline.ts';
import type { TestService } from '../../support/test-service.ts';

/** Settling deletes an intent without a voucher from this age on. */
export const FORGOTTEN_AFTER_MS = REQUEST_DEADLINE_MS + LATE_CREATION_MS;

export function settle({ beside, service }: TestService): Promise<SettleTally> {
  return makeSyncUseCases(beside, { log: service.log }).settleIntents(new AbortController().signal);
}
