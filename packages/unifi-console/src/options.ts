// The options of a simulated controller and their defaults. Independent of HTTP.

import { randomBytes } from 'node:crypto';

export const FLAVOURS = ['unifi-os', 'unifi-classic'] as const;
/** A console with UniFi OS, or the self-hosted Network Application known from port 8443. */
export type Flavour = (typeof FLAVOURS)[number];

/** Behaviour of the controller that can be changed while it runs. */
export interface Switches {
  /** Delay before every response, except responses of the control API. */
  latencyMs: number;
  /** Lifetime of a session; null for the lifetime of real consoles. */
  sessionTtlMs: number | null;
  /**
   * How many logins per minute are allowed, including successful ones. Further logins get 429. Null for unlimited.
   * UniFi OS only.
   */
  loginsPerMinute: number | null;
  /** Whether write requests with a session cookie need the CSRF token. UniFi OS only. */
  strictCsrf: boolean;
  /** Whether a single-use voucher disappears from the lists when it is used. */
  singleUseDisappears: boolean;
  /** Responds as before Network 10: official API errors have no `code`, and classic envelopes begin with `data`. */
  legacyEnvelope: boolean;
  /** Whether the official API answers an order without `count` with a voucher that it does not store. */
  createWithoutCountIsLost: boolean;
  /**
   * If true, the official API returns as many vouchers as `limit` asks for, even more than the documented maximum of
   * 1,000. It is not known whether real consoles return fewer.
   */
  anyLimit: boolean;
}

export interface SimulatedSiteOption {
  /** The short name used in paths. */
  name: string;
  /** The display name. */
  desc: string;
}

export interface Settings {
  /** 0, the default, selects a free port. */
  port: number;
  host: string;
  flavour: Flavour;
  username: string;
  password: string;
  apiKey: string;
  sites: readonly SimulatedSiteOption[];
  /** Milliseconds since 1970; used for expiry, sessions and late creations. */
  clock: () => number;
  switches: Switches;
}

export type ConsoleOptions = Partial<Omit<Settings, 'switches'> & Switches>;

const LOGINS_PER_MINUTE = 5;
const DEFAULT_SITES: readonly SimulatedSiteOption[] = [
  { name: 'default', desc: 'Default' },
  { name: 'k3w9x2pb', desc: 'Haus B' },
];

export function completeOptions(options: ConsoleOptions): Settings {
  return {
    port: options.port ?? 0,
    host: options.host ?? '127.0.0.1',
    flavour: options.flavour ?? 'unifi-os',
    username: options.username ?? 'voucher-bot',
    password: options.password ?? randomBytes(8).toString('hex'),
    apiKey: options.apiKey ?? randomBytes(16).toString('hex'),
    sites: options.sites ?? DEFAULT_SITES,
    clock: options.clock ?? Date.now,
    switches: {
      latencyMs: options.latencyMs ?? 0,
      sessionTtlMs: options.sessionTtlMs ?? null,
      loginsPerMinute: options.loginsPerMinute === undefined ? LOGINS_PER_MINUTE : options.loginsPerMinute,
      strictCsrf: options.strictCsrf ?? true,
      singleUseDisappears: options.singleUseDisappears ?? false,
      legacyEnvelope: options.legacyEnvelope ?? false,
      createWithoutCountIsLost: options.createWithoutCountIsLost ?? false,
      anyLimit: options.anyLimit ?? false,
    },
  };
}
