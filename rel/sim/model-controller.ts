// A simulated controller that misbehaves like real ones: it refuses, cannot be reached, does the work and loses the
// response, does the work long after the caller stopped waiting, or does nothing. The records are compared with its
// vouchers.

import type {
  Controller,
  ControllerFailure,
  Made,
  UpstreamOrder,
  UpstreamVoucher,
} from '../../src/kernel/controllers/controller.ts';
import { LATE_CREATION_MS } from '../../src/kernel/vouchers/settle-intents.ts';
import { isSameOrder } from '../../src/kernel/vouchers/voucher-order.ts';
import { fail, ok, type Result } from '../../src/platform/values/result.ts';
import { type Process, send, type World } from './world.ts';

const CALL_MS = 10_000;

const BROKEN_OFF: ControllerFailure = { kind: 'outcome-unknown', text: 'no answer in time' };

export interface ModelController {
  vouchers: readonly UpstreamVoucher[];
  /** Creates a voucher that the service did not order. */
  makeForeign(): void;
  /** From now on every call succeeds. */
  heal(): void;
  /** Returns the driver for one process. */
  connect(process: Process): Controller;
}

export function makeModelController(world: World): ModelController {
  const vouchers: UpstreamVoucher[] = [];
  /** Some controllers return the created voucher, others only the second of its creation. */
  const namesTheVoucher = world.once(2);
  let healthy = false;

  function make(order: UpstreamOrder): UpstreamVoucher {
    const number = String(vouchers.length + 1);
    const fresh = { usedCount: 0, createdAtMs: world.nowMs(), firstUsedAtMs: null };
    const voucher = { ...order, controllerVoucherId: `id-${number}`, code: number, ...fresh };
    vouchers.push(voucher);
    return voucher;
  }

  const sameSecond = (order: UpstreamOrder, second: number) =>
    vouchers.filter((other) => isSameOrder(other, order) && Math.floor(other.createdAtMs / 1000) === second);

  const trip = () => ({ there: world.between(1, 150), back: world.between(1, 150) });
  const lateTrip = () => ({ there: world.between(0, 100), back: CALL_MS });

  function connect(process: Process): Controller {
    const reach = <Value>(effect: () => Value, way = trip()) => send(world, process, way, effect);

    async function create(order: UpstreamOrder, count: number): Promise<Result<Made, ControllerFailure>> {
      const makeAll = () => Array.from({ length: count }, () => make(order));
      const chance = healthy ? 1 : world.random();
      if (chance < 0.05) return reach(() => fail({ kind: 'refused', text: 'refused' }));
      if (chance < 0.1) return fail({ kind: 'unreachable', text: 'unreachable' });
      if (chance < 0.15) return reach(() => fail(BROKEN_OFF), lateTrip());
      if (chance < 0.25) world.after(world.between(CALL_MS, LATE_CREATION_MS), makeAll);
      if (chance < 0.25) return reach(() => fail(BROKEN_OFF), lateTrip());
      const made = await reach(makeAll);
      if (chance < 0.35) return reach(() => fail(BROKEN_OFF), lateTrip());
      if (namesTheVoucher) return ok({ vouchers: made });
      const second = Math.floor((made[0]?.createdAtMs ?? 0) / 1000);
      const lookAgain = () => reach(() => ok(sameSecond(order, second)));
      const listed = await lookAgain();
      return ok({ vouchers: listed.value, lookAgain });
    }

    function list<Value>(effect: () => Value): Promise<Result<Value, ControllerFailure>> {
      const lost = !healthy && world.once(6);
      return reach(() => (lost ? fail(BROKEN_OFF) : ok(effect())), lost ? lateTrip() : trip());
    }

    return {
      bounds: {},
      overload: () => undefined,
      createVouchers: create,
      findVouchersNamed: (names) => list(() => vouchers.filter(({ name }) => names.has(name))),
      async forEachVoucherChunk(onChunk) {
        const listed = await list(() => [...vouchers]);
        if (!listed.ok) return listed.problem;
        await onChunk(listed.value);
        return undefined;
      },
      findUses: async () => ok(new Map()),
      deleteVoucher: async () => ok('deleted'),
      listsAny: (ids) =>
        list(() => vouchers.some((voucher) => ids.includes(voucher.controllerVoucherId ?? ''))),
      listSites: async () => ok([]),
      check: async () => undefined,
    };
  }

  return {
    vouchers,
    makeForeign: () => {
      const limits = { maxUses: 0, expireMinutes: 60, downKbps: 0, upKbps: 0, quotaMb: 0 };
      make({ name: 'made by others', ...limits });
    },
    heal: () => {
      healthy = true;
    },
    connect,
  };
}
