// Sites on a simulated UniFi console, reached over TLS with its fingerprint pinned, and a session store that outlives
// the drivers.

import type { SimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { type Controllers, makeControllers } from '../../../src/kernel/controllers/controller-of.ts';
import { asSiteId } from '../../../src/kernel/ids.ts';
import type { ControllerSessions, Credentials } from '../../../src/kernel/sites/controller-connection.ts';
import type { Site } from '../../../src/kernel/sites/site.ts';
import { type Clock, systemClock } from '../../../src/platform/time/clock.ts';

type UnifiKind = 'unifi' | 'unifi-classic';

export const WRONG_FINGERPRINT = 'AB'.repeat(32);

export interface Inputs {
  site?: string;
  fingerprint256?: string;
  credentials?: Credentials;
}

export type PinnedConsole = Pick<
  SimulatedConsole,
  'url' | 'fingerprint256' | 'apiKey' | 'username' | 'password'
>;

export function pinnedSite(console: PinnedConsole, kind: UnifiKind, inputs: Inputs = {}): Site {
  const { url, apiKey, username, password } = console;
  const fingerprint256 = inputs.fingerprint256 ?? console.fingerprint256;
  const credentials = inputs.credentials ?? (kind === 'unifi' ? { apiKey } : { username, password });
  return {
    id: asSiteId(1),
    name: 'Haus A',
    active: true,
    controllerKind: kind,
    controllerSite: inputs.site ?? 'default',
    connection: { url, credentials, trust: { kind: 'pinned', fingerprint256 } },
    importsForeign: true,
    checkOut: '11:00',
    timeZone: null,
    hasGuestPage: false,
    replyTo: null,
  };
}

export function memorySessions(): ControllerSessions & { kept: Map<string, string> } {
  const kept = new Map<string, string>();
  return {
    kept,
    load: async (address) => kept.get(address),
    save: async (address, session) => void kept.set(address, session),
  };
}

/** Drivers that need no data folder. */
export function connect(sessions = memorySessions(), clock: Clock = systemClock): Controllers {
  return makeControllers({ dataDir: '/nonexistent', clock, sessions });
}

/** Closes the connections at the end of a test, even if the test fails. */
export function closing(controllers: Controllers): Controllers & AsyncDisposable {
  return { ...controllers, [Symbol.asyncDispose]: () => controllers.close() };
}
