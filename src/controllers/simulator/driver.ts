// The driver of the simulated controller: no network, same contract. The name of a simulated site
// decides how it behaves: `fail:<way>` fails in that way, any other name works.

import { setTimeout as sleep } from 'node:timers/promises';
import type {
  Controller,
  ControllerFailure,
  UpstreamOrder,
  UpstreamVoucher,
} from '../../domain/controller.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { SimulatedVouchers } from './simulated-vouchers.ts';

const TIME_OUT_MS = 2_000;

type Creation = Result<UpstreamVoucher[], ControllerFailure>;

type Failing = (order: UpstreamOrder, make: () => UpstreamVoucher) => Promise<Creation>;

/** Each way to fail, as it happens after the order has reached the controller. */
const failures = new Map<string, Failing>([
  [
    'fail:refuse',
    async () => fail({ kind: 'refused', text: 'the simulated controller refuses every voucher' }),
  ],
  [
    'fail:unreachable',
    async () => fail({ kind: 'unreachable', text: 'the simulated controller cannot be reached' }),
  ],
  ['fail:nothing', async () => ok([])],
  [
    'fail:no-code',
    async (order) =>
      ok([{ ...order, controllerVoucherId: null, code: null, usedCount: 0, firstUsedAtMs: null }]),
  ],
  [
    'fail:time-out',
    async () => {
      await sleep(TIME_OUT_MS);
      return fail({ kind: 'outcome-unknown', text: 'the simulated controller did not answer in time' });
    },
  ],
  [
    'fail:lose-answer',
    async (_order, make) => {
      make();
      return fail({ kind: 'outcome-unknown', text: 'the answer of the simulated controller was lost' });
    },
  ],
  [
    'fail:throw',
    async () => {
      throw new Error('the simulated driver broke down: password=geheim');
    },
  ],
]);

export const simulatedFailures = [...failures.keys()];

interface Needs {
  /** The site's name on the simulated controller. */
  site: string;
  /** Where its vouchers are kept, so that two sites of one name do not share them. */
  place: string;
  vouchers: SimulatedVouchers;
}

export function makeSimulatorDriver({ site, place, vouchers }: Needs): Controller {
  const failing = failures.get(site);
  return {
    bounds: {},
    async createVoucher(order) {
      const make = () => vouchers.create(place, order);
      return failing ? failing(order, make) : ok([make()]);
    },
    async findVouchersByName(name) {
      return ok(vouchers.findByName(place, name));
    },
    async check() {
      return failing && { kind: 'refused', text: `this simulated site is told to fail (${site})` };
    },
  };
}
