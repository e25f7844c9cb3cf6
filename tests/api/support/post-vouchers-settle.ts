// Lets a test settle open intents at the moment it chooses, as the background work does by itself.

import { makeSyncUseCases } from '../../../src/app/sync-use-cases.ts';
import {
  LATE_CREATION_MS,
  REQUEST_DEADLINE_MS,
  type SettleTally,
} from '../../../src/domain/vouchers/settle-intents.ts';
import type { TestService } from '../../support/test-service.ts';

/** From this age on an intent without a voucher is declared to have never happened. */
export const FORGOTTEN_AFTER_MS = REQUEST_DEADLINE_MS + LATE_CREATION_MS;

export function settle({ beside, service }: TestService): Promise<SettleTally> {
  return makeSyncUseCases(beside, { log: service.log }).settleIntents(new AbortController().signal);
}
