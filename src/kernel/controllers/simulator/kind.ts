// The simulated controller for demonstrations: it needs no access data, and its vouchers open no Wi-Fi.

import type { DrivenKind } from '../kind.ts';
import { makeSimulatorDriver } from './driver.ts';
import { hasSimulatedVouchers, openSimulatedVouchers, type SimulatedVouchers } from './simulated-vouchers.ts';

export const simulator: DrivenKind = {
  name: 'simulator',
  since: '0.1.0',
  summary: 'simulated, to try things out',
  hasAddress: false,
  credentials: [],
  code: { pattern: /^\d+$/, length: 10 },
  bounds: {},
  open({ dataDir, clock }) {
    let opened: SimulatedVouchers | undefined;
    /** The file is created when a voucher is created or searched, not when a site is checked. */
    const vouchers = () => {
      opened ??= openSimulatedVouchers(dataDir);
      return opened;
    };
    return {
      // Every site has its own simulated controller, even if two sites use the same controller site name.
      makeDriver: ({ id, site }) => makeSimulatorDriver({ site, place: `${id}/${site}`, vouchers, clock }),
      forgetSite(id) {
        if (hasSimulatedVouchers(dataDir)) vouchers().forget(`${id}/`);
      },
      close: () => opened?.close(),
    };
  },
};
