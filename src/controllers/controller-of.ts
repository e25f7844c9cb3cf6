// Finds the driver for a site. One driver per site is kept, so that a driver may keep connections.

import type { Controller } from '../domain/controller.ts';
import type { Site } from '../domain/sites/site.ts';
import { makeSimulatorDriver } from './simulator/driver.ts';
import { openSimulatedVouchers, type SimulatedVouchers } from './simulator/simulated-vouchers.ts';

export interface Controllers {
  controllerOf(site: Site): Controller;
  close(): void;
}

export function makeControllers(dataDir: string): Controllers {
  const drivers = new Map<string, Controller>();
  let simulated: SimulatedVouchers | undefined;

  function makeDriver(site: Site): Controller {
    if (site.controllerKind !== 'simulator')
      throw new Error(`site ${site.id}: this release has no driver for "${site.controllerKind}"`);
    simulated ??= openSimulatedVouchers(dataDir);
    return makeSimulatorDriver(site.controllerSite, simulated);
  }

  return {
    controllerOf(site) {
      // A site that was pointed elsewhere gets a new driver.
      const address = `${site.controllerKind} ${site.controllerSite}`;
      let driver = drivers.get(address);
      if (!driver) {
        driver = makeDriver(site);
        drivers.set(address, driver);
      }
      return driver;
    },
    close: () => simulated?.close(),
  };
}
