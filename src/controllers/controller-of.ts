// Finds the driver for a site, and keeps it, so that a driver may keep connections.

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
    const place = simulatedPlace(site);
    return makeSimulatorDriver({ site: site.controllerSite, place, vouchers: simulated });
  }

  return {
    controllerOf(site) {
      // A site that was pointed elsewhere gets a new driver.
      const address = `${site.controllerKind} ${simulatedPlace(site)}`;
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

/** Each of our sites has a simulated controller of its own, whatever its site there is called. */
function simulatedPlace({ id, controllerSite }: Site): string {
  return `${id}/${controllerSite}`;
}
