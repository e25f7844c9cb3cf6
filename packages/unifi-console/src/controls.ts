// The controls of a simulated controller, for the process that started it: redeem vouchers, set faults, change
// switches, read counters. control-api.ts offers the same controls over HTTP.

import type { ConsoleState } from './console-state.ts';
import type { Counters, Tally } from './counters.ts';
import type { Fault, FaultList, FaultState } from './faults/fault-list.ts';
import type { Switches } from './options.ts';
import { type Redemption, type RedemptionProblem, redeemVoucher } from './redeem.ts';
import type { Result } from './result.ts';
import type { NewVoucher, StoredVoucher } from './voucher-store.ts';

export interface Filling extends Partial<Omit<NewVoucher, 'siteId' | 'adminName'>> {
  /** The short name of the site; `default` by default. */
  site?: string;
  count?: number;
}

export interface Controls {
  /** Simulates guests who enter the code: `devices` guests, one after the other. */
  redeem(order: { code: string; devices?: number }): Result<Redemption, RedemptionProblem>;
  /** Copies of the vouchers of one site (by its short name) or of all sites. */
  vouchers(site?: string): StoredVoucher[];
  /** Creates vouchers as an administrator would in the controller's own interface. */
  fill(filling: Filling): StoredVoucher[];
  /** Deletes a voucher as in the controller's own interface. Returns false if there is no voucher with the code. */
  remove(order: { code: string }): boolean;
  /** Returns the id of the fault. */
  setFault(fault: Fault): number;
  faults(): FaultState[];
  resetFaults(): void;
  expireSessions(): void;
  /** Can be read and changed directly. A change takes effect with the next request. */
  switches: Switches;
  counters(): Counters;
  resetCounters(): void;
}

interface Deps {
  state: ConsoleState;
  faults: FaultList;
  tally: Tally;
}

const DEFAULT_MINUTES = 480;

export function makeControls({ state, faults, tally }: Deps): Controls {
  function siteIdOf(name: string): string {
    const site = state.findSite(name);
    if (!site) throw new Error(`the simulated controller has no site "${name}"`);
    return site.id;
  }

  return {
    redeem: (order) => redeemVoucher(state, order),
    vouchers(site) {
      const found = state.vouchers.all(site === undefined ? undefined : siteIdOf(site));
      return found.map((voucher) => ({ ...voucher }));
    },
    fill({ site = 'default', count = 1, ...wanted }) {
      const plain = { note: null, quota: 1, durationMinutes: DEFAULT_MINUTES };
      const limits = { downKbps: null, upKbps: null, usageQuotaMb: null };
      const order = { ...plain, ...limits, ...wanted, siteId: siteIdOf(site), adminName: 'admin' };
      return state.vouchers.create(order, count).map((voucher) => ({ ...voucher }));
    },
    remove({ code }) {
      const voucher = state.vouchers.findByCode(code);
      if (voucher) state.vouchers.delete(voucher);
      return voucher !== undefined;
    },
    setFault: faults.add,
    faults: faults.states,
    resetFaults: faults.reset,
    expireSessions: state.sessions.closeAll,
    switches: state.switches,
    counters: tally.read,
    resetCounters: tally.reset,
  };
}
