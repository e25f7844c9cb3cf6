// What a simulated controller can be started with, and what stands in for everything not said.
// Knows nothing of HTTP.

import { randomBytes } from 'node:crypto';

export const FLAVOURS = ['unifi-os', 'unifi-classic'] as const;
/** A console with UniFi OS, or the self-hosted Network Application known from port 8443. */
export type Flavour = (typeof FLAVOURS)[number];

/** Habits of the controller; they may be changed while it runs. */
export interface Switches {
  /** Waited before every answer. */
  latencyMs: number;
  /** How long a login holds; null leaves it to what consoles do. */
  sessionTtlMs: number | null;
  /** Logins within a minute, successful ones included, before 429; null for any number. UniFi OS only. */
  loginsPerMinute: number | null;
  /** Whether writes by cookie need the CSRF token. UniFi OS only. */
  strictCsrf: boolean;
  /** A voucher for one use leaves the lists once it is used. */
  singleUseDisappears: boolean;
  /** Answers as before Network 10: Integration errors without `code`, classic envelopes data first. */
  legacyEnvelope: boolean;
  /** An Integration order without `count` is answered with a voucher that was never stored. */
  createWithoutCountIsLost: boolean;
  /**
   * Lists of the official API are as long as `limit` asks for, beyond the documented 1,000. Whether real consoles
   * shorten them is not known.
   */
  anyLimit: boolean;
}

export interface SimulatedSiteOption {
  /** The short name used in paths. */
  name: string;
  /** The display name. */
  desc: string;
}

export interface SimulatorOptions extends Partial<Switches> {
  /** 0, the default, takes a free one. */
  port?: number;
  host?: string;
  flavour?: Flavour;
  username?: string;
  password?: string;
  apiKey?: string;
  sites?: readonly SimulatedSiteOption[];
  /** Milliseconds since 1970; expiry, sessions and late creations go by it. */
  clock?: () => number;
}

export interface Settings {
  port: number;
  host: string;
  flavour: Flavour;
  username: string;
  password: string;
  apiKey: string;
  sites: readonly SimulatedSiteOption[];
  clock: () => number;
  switches: Switches;
}

const LOGINS_PER_MINUTE = 5;
const DEFAULT_SITES: readonly SimulatedSiteOption[] = [
  { name: 'default', desc: 'Default' },
  { name: 'k3w9x2pb', desc: 'Haus B' },
];

export function completeOptions(options: SimulatorOptions): Settings {
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
