// Tests a site by using it: checks its controller, creates a voucher and deletes it again. The test voucher is neither
// recorded nor reported to webhooks. If it could not be deleted, sync ignores it.

import { fail } from '../../platform/values/result.ts';
import type { Controller, ControllerFailure, UpstreamOrder } from '../controllers/controller.ts';
import { isSameOrder } from '../vouchers/voucher-order.ts';
import type { Site } from './site.ts';

const STEP_MS = 20_000;

/** Names of regular vouchers begin with a date, so no regular voucher has this name. */
export const TEST_ORDER: UpstreamOrder = {
  name: 'Gastpass Test',
  maxUses: 1,
  expireMinutes: 1,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

export const isTestVoucher = (voucher: UpstreamOrder) => isSameOrder(voucher, TEST_ORDER);

const NO_VOUCHER: ControllerFailure = {
  kind: 'refused',
  cause: 'no-voucher',
  text: 'the controller answered without a voucher that could be used',
};
const NO_ID: ControllerFailure = { kind: 'refused', text: 'the controller gave the voucher no id' };

export interface TestFailure {
  step: 'check' | 'create' | 'delete';
  failure: ControllerFailure;
  /** The code of a test voucher that still exists. */
  code?: string;
}

/** Undefined if a voucher could be created and deleted. */
export type TestSite = (site: Site) => Promise<TestFailure | undefined>;

interface Deps {
  controllerOf: (site: Site) => Controller;
  timeout: (ms: number) => AbortSignal;
}

export function makeTestSite({ controllerOf, timeout }: Deps): TestSite {
  return async function testSite(site) {
    const controller = controllerOf(site);
    const failure = await controller.check(timeout(STEP_MS));
    if (failure) return { step: 'check', failure };
    const made = await controller.createVouchers(TEST_ORDER, 1, {
      caller: 'test',
      signal: timeout(STEP_MS),
      leftMs: () => STEP_MS,
    });
    if (!made.ok) return { step: 'create', failure: made.problem };
    // Delete all returned vouchers, even if some belong to another test that runs at the same time: a controller may be
    // unable to distinguish equal vouchers.
    for (const { controllerVoucherId, code } of made.value.vouchers) {
      const deleted =
        controllerVoucherId === null
          ? fail(NO_ID)
          : await controller.deleteVoucher(controllerVoucherId, timeout(STEP_MS));
      if (!deleted.ok) return { step: 'delete', failure: deleted.problem, ...(code !== null && { code }) };
    }
    return made.value.vouchers.some(({ code }) => code !== null)
      ? undefined
      : { step: 'create', failure: NO_VOUCHER };
  };
}
