// Provides the driver for a site. Sites on one controller share its connections and its queue; sites that use the same
// account also share its login.

import type { Clock } from '../domain/clock.ts';
import type { Controller } from '../domain/controller.ts';
import type { SiteId } from '../domain/ids.ts';
import type { ControllerAccess, ControllerSessions } from '../domain/sites/controller-access.ts';
import type { Site } from '../domain/sites/site.ts';
import { UNKNOWN } from '../domain/unknown-value.ts';
import { maskCredentials } from './mask-credentials.ts';
import { makeSimulatorDriver } from './simulator/driver.ts';
import {
  hasSimulatedVouchers,
  openSimulatedVouchers,
  type SimulatedVouchers,
} from './simulator/simulated-vouchers.ts';
import { makeUnifiDriver } from './unifi/driver.ts';
import { type LastLogin, readLastLogin } from './unifi-classic/classic-session.ts';
import { makeUnifiClassicDriver } from './unifi-classic/driver.ts';
import { makeSession, type Session } from './unifi-classic/session.ts';
import { unknownDriver } from './unknown-driver.ts';
import { makeCallLimiter } from './upstream/call-limiter.ts';
import { makeTrustedAgent } from './upstream/trusted-agent.ts';
import { makeUpstream, type Upstream } from './upstream/upstream-http.ts';

export interface Controllers {
  controllerOf(site: Site): Controller;
  /** Deletes the vouchers that a removed site has on its simulated controller. */
  forgetSimulatedSite(id: SiteId): void;
  close(): Promise<void>;
}

interface Deps {
  dataDir: string;
  clock: Clock;
  sessions: ControllerSessions;
  /** The header `traceparent` for a call, if the current request belongs to a trace. */
  nextTraceparent?: () => string | undefined;
}

export function makeControllers({ dataDir, clock, sessions, nextTraceparent }: Deps): Controllers {
  const drivers = new Map<string, Controller>();
  const upstreams = new Map<string, Upstream>();
  const logins = new Map<string, Session>();
  let simulated: SimulatedVouchers | undefined;
  const openSimulated = () => {
    simulated ??= openSimulatedVouchers(dataDir);
    return simulated;
  };
  /** The file is created when a voucher is created or searched, not when a site is checked. */
  const simulatedVouchers: SimulatedVouchers = {
    create: (...args) => openSimulated().create(...args),
    findByName: (...args) => openSimulated().findByName(...args),
    page: (...args) => openSimulated().page(...args),
    remove: (...args) => openSimulated().remove(...args),
    redeem: (...args) => openSimulated().redeem(...args),
    forget: (...args) => openSimulated().forget(...args),
    close: () => simulated?.close(),
  };

  return {
    controllerOf(site) {
      // A site whose controller, controller site or credentials changed gets a new driver.
      const { id, controllerKind, controllerSite, access } = site;
      return keep(drivers, JSON.stringify([id, controllerKind, controllerSite, access]), () => {
        const driver = makeDriver(site);
        return access ? maskCredentials(driver, access.credentials) : driver;
      });
    },
    forgetSimulatedSite(id) {
      if (hasSimulatedVouchers(dataDir)) simulatedVouchers.forget(`${id}/`);
    },
    async close() {
      simulatedVouchers.close();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
    },
  };

  function makeDriver({ id, controllerKind, controllerSite: site, access }: Site): Controller {
    if (controllerKind === UNKNOWN) return unknownDriver;
    if (controllerKind === 'simulator') {
      // Every site has its own simulated controller, even if two sites use the same controller site name.
      return makeSimulatorDriver({ site, place: `${id}/${site}`, vouchers: simulatedVouchers, clock });
    }
    if (controllerKind === 'unifi' && access && 'apiKey' in access.credentials)
      return makeUnifiDriver({ upstream: upstreamOf(access), apiKey: access.credentials.apiKey, site });
    if (controllerKind === 'unifi-classic' && access && 'username' in access.credentials)
      return makeUnifiClassicDriver({ session: sessionOf(access, access.credentials), site });
    throw new Error(`site ${id}: no driver for "${controllerKind}" with what is configured`);
  }

  function upstreamOf({ url, trust }: ControllerAccess): Upstream {
    return keep(upstreams, JSON.stringify([url, trust]), () =>
      makeUpstream({ url, agent: makeTrustedAgent(trust), limiter: makeCallLimiter(clock), nextTraceparent }),
    );
  }

  function sessionOf(access: ControllerAccess, account: { username: string; password: string }): Session {
    return keep(logins, JSON.stringify(access), () => {
      const urlAndUser = `${access.url} ${account.username}`;
      const keeper = {
        async load(): Promise<LastLogin | undefined> {
          const text = await sessions.load(urlAndUser);
          return text === undefined ? undefined : readLastLogin(text);
        },
        save: (login: LastLogin) => sessions.save(urlAndUser, JSON.stringify(login)),
      };
      return makeSession({ upstream: upstreamOf(access), account, keeper, clock });
    });
  }
}

function keep<Value>(kept: Map<string, Value>, key: string, make: () => Value): Value {
  const known = kept.get(key);
  if (known !== undefined) return known;
  const made = make();
  kept.set(key, made);
  return made;
}
