// The driver of the simulated controller. It has the same interface as other drivers, but uses no network. The name of
// a simulated site decides how it behaves: the names in `simulatedFailures` (`fail:<way>`) fail in that way, any other
// name works.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../../platform/values/result.ts';
import type { Controller, ControllerFailure, Made, UpstreamOrder, UpstreamVoucher } from '../controller.ts';
import { outcomeUnknown, refused, unreachable } from '../upstream/failures.ts';
import type { SimulatedVouchers } from './simulated-vouchers.ts';

const TIME_OUT_MS = 2_000;

const CHUNK_ROWS = 500;

type Creation = Result<Made, ControllerFailure>;

type Failing = (order: UpstreamOrder, make: () => UpstreamVoucher[]) => Promise<Creation>;

/** How a creation fails, by the name of the site. */
const failures = new Map(
  Object.entries<Failing>({
    'fail:refuse': async () => fail(refused('refused', 'the simulated controller refuses every voucher')),
    'fail:unreachable': async () =>
      fail(unreachable('nobody-answers', 'the simulated controller cannot be reached')),
    'fail:nothing': async () => ok({ vouchers: [] }),
    'fail:no-code': async (order) => ok({ vouchers: [withoutCode(order)] }),
    'fail:time-out': async () => {
      await sleep(TIME_OUT_MS);
      return fail(outcomeUnknown('too-slow', 'the simulated controller did not answer in time'));
    },
    'fail:lose-answer': async (_order, make) => {
      make();
      return fail(outcomeUnknown('broke-off', 'the answer of the simulated controller was lost'));
    },
    'fail:throw': async () => {
      throw new Error('the simulated driver broke down: password=geheim');
    },
  }),
);

export const simulatedFailures = [...failures.keys()];

interface Deps {
  /** The site's name on the simulated controller. */
  site: string;
  /** The key under which the vouchers are stored, so that two sites with the same name do not share vouchers. */
  place: string;
  /** The first call opens the file of the vouchers. */
  vouchers: () => SimulatedVouchers;
  clock: Clock;
}

export function makeSimulatorDriver({ site, place, vouchers, clock }: Deps): Controller {
  const failing = failures.get(site);
  return {
    bounds: {},
    overload: () => undefined,
    async createVouchers(order, count) {
      const make = () => Array.from({ length: count }, () => vouchers().create(place, order, clock.nowMs()));
      return failing ? failing(order, make) : ok({ vouchers: make() });
    },
    async findVouchersNamed(names) {
      return ok([...names].flatMap((name) => vouchers().findByName(place, name)));
    },
    async forEachVoucherChunk(onChunk) {
      // New vouchers come last. Reading stops at the first incomplete page: otherwise it would not end while vouchers
      // are being created.
      let chunk: UpstreamVoucher[] = [];
      do {
        chunk = vouchers().page(place, chunk.at(-1)?.controllerVoucherId ?? '', CHUNK_ROWS);
        if (chunk.length > 0) await onChunk(chunk);
      } while (chunk.length === CHUNK_ROWS);
      return undefined;
    },
    /** Used vouchers stay in the list, so the list already shows every use. */
    async findUses() {
      return ok(new Map());
    },
    async deleteVoucher(controllerVoucherId) {
      if (failing) return fail({ kind: 'refused', text: `this simulated site is told to fail (${site})` });
      vouchers().remove(place, controllerVoucherId);
      return ok('deleted');
    },
    /** Always true: callers ask this to detect a replaced controller, and a simulated one is never replaced. */
    async listsAny() {
      return ok(true);
    },
    /** The simulated controller has every site it is asked for. */
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
