// The driver of the simulated controller: no network, same contract. The name of a simulated site
// decides how it behaves: `fail:<way>` fails in that way, any other name works.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../domain/clock.ts';
import type {
  Controller,
  ControllerFailure,
  Made,
  UpstreamOrder,
  UpstreamVoucher,
} from '../../domain/controller.ts';
import { fail, ok, type Result } from '../../domain/result.ts';
import type { SimulatedVouchers } from './simulated-vouchers.ts';

const TIME_OUT_MS = 2_000;

const PAGE = 500;

type Creation = Result<Made, ControllerFailure>;

type Failing = (order: UpstreamOrder, make: () => UpstreamVoucher[]) => Promise<Creation>;

/** Each way to fail, as it happens after the order has reached the controller. */
const failures = new Map<string, Failing>([
  [
    'fail:refuse',
    async () =>
      fail({ kind: 'refused', cause: 'refused', text: 'the simulated controller refuses every voucher' }),
  ],
  [
    'fail:unreachable',
    async () =>
      fail({
        kind: 'unreachable',
        cause: 'nobody-answers',
        text: 'the simulated controller cannot be reached',
      }),
  ],
  ['fail:nothing', async () => ok({ vouchers: [] })],
  ['fail:no-code', async (order) => ok({ vouchers: [withoutCode(order)] })],
  [
    'fail:time-out',
    async () => {
      await sleep(TIME_OUT_MS);
      return fail({
        kind: 'outcome-unknown',
        cause: 'too-slow',
        text: 'the simulated controller did not answer in time',
      });
    },
  ],
  [
    'fail:lose-answer',
    async (_order, make) => {
      make();
      return fail({
        kind: 'outcome-unknown',
        cause: 'broke-off',
        text: 'the answer of the simulated controller was lost',
      });
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

interface Deps {
  /** The site's name on the simulated controller. */
  site: string;
  /** Where its vouchers are kept, so that two sites of one name do not share them. */
  place: string;
  vouchers: SimulatedVouchers;
  clock: Clock;
}

export function makeSimulatorDriver({ site, place, vouchers, clock }: Deps): Controller {
  const failing = failures.get(site);
  return {
    bounds: {},
    overload: () => undefined,
    async createVouchers(order, count) {
      const make = () => Array.from({ length: count }, () => vouchers.create(place, order, clock.nowMs()));
      return failing ? failing(order, make) : ok({ vouchers: make() });
    },
    async findVouchersNamed(names) {
      return ok([...names].flatMap((name) => vouchers.findByName(place, name)));
    },
    async forEachVoucherPage(onPage) {
      for (let page = vouchers.page(place, '', PAGE); page.length > 0; ) {
        await onPage(page);
        page = vouchers.page(place, page.at(-1)?.controllerVoucherId ?? '', PAGE);
      }
      return undefined;
    },
    /** Used vouchers stay in its list. */
    async findUses() {
      return ok(new Map());
    },
    async deleteVoucher(controllerVoucherId) {
      if (failing) return { kind: 'refused', text: `this simulated site is told to fail (${site})` };
      vouchers.remove(place, controllerVoucherId);
      return undefined;
    },
    /** It has whatever site it is asked for. */
    async listSites() {
      return ok([{ id: site, name: site }]);
    },
    async check() {
      return failing && { kind: 'refused', text: `this simulated site is told to fail (${site})` };
    },
  };
}

function withoutCode(order: UpstreamOrder): UpstreamVoucher {
  return {
    ...order,
    controllerVoucherId: null,
    code: null,
    usedCount: 0,
    createdAtMs: 0,
    firstUsedAtMs: null,
  };
}
