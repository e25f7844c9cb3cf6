// Lets a test settle open intents at the moment it chooses, as the background work does by itself.

import type { SettleIntents } from '../../../src/domain/vouchers/settle-intents.ts';
import {
  LATE_CREATION_MS,
  makeSettleIntents,
  REQUEST_DEADLINE_MS,
} from '../../../src/domain/vouchers/settle-intents.ts';
import type { TestService } from '../../support/test-service.ts';

/** From this age on an intent without a voucher is declared to have never happened. */
export const FORGOTTEN_AFTER_MS = REQUEST_DEADLINE_MS + LATE_CREATION_MS;

export function settle({ beside, clock, service }: TestService): ReturnType<SettleIntents> {
  const { sites, vouchers, controllerOf, underWay } = beside;
  return makeSettleIntents({ sites, vouchers, controllerOf, underWay, clock, log: service.log })();
}
