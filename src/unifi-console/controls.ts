// The back door of a simulated controller, for the process that started it: be a guest, set faults, turn
// switches, count. The same over HTTP is in back-door.ts.

import type { Counters, Tally } from './counters.ts';
import type { Fault, FaultList, FaultState } from './faults/fault-list.ts';
import type { Switches } from './options.ts';
import { type Redemption, type RedemptionProblem, redeemVoucher } from './redeem.ts';
import type { Result } from './result.ts';
import type { SimulatedConsole } from './simulated-console.ts';
import type { NewVoucher, StoredVoucher } from './voucher-store.ts';

export interface Filling extends Partial<Omit<NewVoucher, 'siteId' | 'adminName'>> {
  /** The short name; `default` unless told otherwise. */
  site?: string;
  count?: number;
}

export interface Controls {
  /** A guest types the code; `devices` guests one after the other. */
  redeem(order: { code: string; devices?: number }): Result<Redemption, RedemptionProblem>;
  /** Copies, of one site (by its short name) or of all. */
  vouchers(site?: string): StoredVoucher[];
  /** Makes vouchers as if somebody had made them on the controller's own pages. */
  fill(filling: Filling): StoredVoucher[];
  /** Deletes one as somebody on the controller's own pages would. False when there is none. */
  remove(order: { code: string }): boolean;
  /** Gives the number of the fault. */
  setFault(fault: Fault): number;
  faults(): FaultState[];
  resetFaults(): void;
  expireSessions(): void;
  /** Read and written directly; a change holds from the next request on. */
  switches: Switches;
  counters(): Counters;
  resetCounters(): void;
}

interface Deps {
  simulated: SimulatedConsole;
  faults: FaultList;
  tally: Tally;
}

const DEFAULT_MINUTES = 480;

export function makeControls({ simulated, faults, tally }: Deps): Controls {
  function siteIdOf(name: string): string {
    const site = simulated.findSite(name);
    if (!site) throw new Error(`the simulated controller has no site "${name}"`);
    return site.id;
  }

  return {
    redeem: (order) => redeemVoucher(simulated, order),
    vouchers(site) {
      const found = simulated.vouchers.all(site === undefined ? undefined : siteIdOf(site));
      return found.map((voucher) => ({ ...voucher }));
    },
    fill({ site = 'default', count = 1, ...wanted }) {
      const plain = { note: null, quota: 1, durationMinutes: DEFAULT_MINUTES };
      const limits = { downKbps: null, upKbps: null, usageQuotaMb: null };
      const order = { ...plain, ...limits, ...wanted, siteId: siteIdOf(site), adminName: 'admin' };
      return simulated.vouchers.create(order, count).map((voucher) => ({ ...voucher }));
    },
    remove({ code }) {
      const voucher = simulated.vouchers.findByCode(code);
      if (voucher) simulated.vouchers.delete(voucher);
      return voucher !== undefined;
    },
    setFault: faults.add,
    faults: faults.states,
    resetFaults: faults.reset,
    expireSessions: simulated.sessions.closeAll,
    switches: simulated.switches,
    counters: tally.read,
    resetCounters: tally.reset,
  };
}
