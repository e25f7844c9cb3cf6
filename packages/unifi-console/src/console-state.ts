// The state of a simulated controller: its sites, vouchers, guests and sessions. The routes of both APIs, the control
// API and the faults share this state.

import { type GuestStore, makeGuestStore } from './guest-store.ts';
import { siteObjectId, uuidFromName } from './ids.ts';
import type { Settings } from './options.ts';
import { makeSessions, type Sessions } from './sessions.ts';
import { makeVoucherStore, type VoucherStore } from './voucher-store.ts';

export interface SimulatedSite {
  /** The id in the classic API, also stored as `siteId` in vouchers and guests. */
  id: string;
  /** The id in the official API. */
  uuid: string;
  name: string;
  desc: string;
  anonymousId: string;
}

export interface ConsoleState extends Settings {
  controllerUuid: string;
  allSites: SimulatedSite[];
  vouchers: VoucherStore;
  guests: GuestStore;
  sessions: Sessions;
  tallies: { logins: number; loginsRefused: number };
  nowS(): number;
  version(): string;
  findSite(name: string): SimulatedSite | undefined;
}

const VERSION = '10.5.66';
const LEGACY_VERSION = '9.4.19';

export function makeConsoleState(settings: Settings): ConsoleState {
  const { clock, switches } = settings;
  const allSites = settings.sites.map(({ name, desc }) => ({
    id: siteObjectId(name),
    uuid: uuidFromName(`external ${name}`),
    name,
    desc,
    anonymousId: uuidFromName(`anonymous ${name}`),
  }));
  return {
    ...settings,
    controllerUuid: uuidFromName('controller'),
    allSites,
    vouchers: makeVoucherStore(clock),
    guests: makeGuestStore(),
    sessions: makeSessions(settings),
    tallies: { logins: 0, loginsRefused: 0 },
    nowS: () => Math.floor(clock() / 1000),
    version: () => (switches.legacyEnvelope ? LEGACY_VERSION : VERSION),
    findSite: (name) => allSites.find((site) => site.name === name),
  };
}

export function isExpired({ endS }: { endS: number | null }, nowS: number): boolean {
  return endS !== null && endS <= nowS;
}
