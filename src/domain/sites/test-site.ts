// Whether a site works, found out by doing it: its controller is asked, makes a voucher and deletes it again.
// That voucher is none of ours: it is not recorded or announced, and sync passes over it should it stay.

import type { Controller, ControllerFailure, UpstreamOrder } from '../controller.ts';
import { isSameOrder } from '../vouchers/voucher-order.ts';
import type { Site } from './site.ts';

const STEP_MS = 20_000;

/** No voucher of ours is called this: theirs begin with a date. */
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
  /** Of a test voucher that is still there. */
  code?: string;
}

/** Undefined when a voucher could be made and deleted. */
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
    // Where a controller cannot tell equal ones apart, those of another test at the same time are among them.
    for (const { controllerVoucherId, code } of made.value.vouchers) {
      const failure =
        controllerVoucherId === null
          ? NO_ID
          : await controller.deleteVoucher(controllerVoucherId, timeout(STEP_MS));
      if (failure) return { step: 'delete', failure, ...(code !== null && { code }) };
    }
    return made.value.vouchers.some(({ code }) => code !== null)
      ? undefined
      : { step: 'create', failure: NO_VOUCHER };
  };
}
