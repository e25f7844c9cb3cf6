// Finds the printer that polls a path. Wrong tokens are counted per network, as for guest pages: while a network sends
// too many of them, only tokens whose hash is in memory are looked up. The requests of a printer are limited, too.

import type { PrinterId } from '../../kernel/ids.ts';
import { countInWindow, type RateWindow, verdictOn } from '../../kernel/keys/rate-window.ts';
import { makeFreshRead } from '../../platform/concurrency/fresh-read.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import { hashToken, isPathToken } from '../../platform/secrets/token.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { PollingKind, Printer, PrinterStore } from './printer.ts';

/** Requests of one printer in a minute. A printer that polls every second and prints without a pause needs 150. */
export const MAX_REQUESTS = 240;
/** Until the hashes are read again, a new path does not work in a flooding network. */
const HASHES_FRESH_MS = 1_000;
const FLOOD_S = 60;

/**
 * `wrong`: there is no such path. `flood`: the same, and the network has sent too many wrong ones. `throttled`: the
 * printer asks too often.
 */
export type OpenedPath =
  | { result: 'opened'; printer: Printer }
  | { result: 'wrong' }
  | { result: 'flood' | 'throttled'; secondsLeft: number };

export type OpenPollingPath = (kind: PollingKind, token: string, ip: string) => Promise<OpenedPath>;

interface Deps {
  printers: Pick<PrinterStore, 'findByToken' | 'listTokenHashes'>;
  /** Counts wrong tokens. */
  floods: NetworkFloods;
  clock: Clock;
}

export function makeOpenPollingPath({ printers, floods, clock }: Deps): OpenPollingPath {
  const windows = new Map<PrinterId, RateWindow>();
  const readHashes = makeFreshRead({ clock, freshMs: HASHES_FRESH_MS }, printers.listTokenHashes);

  return async (kind, token, ip) => {
    const isFlooding = floods.isFlooding(ip);
    const printer = isPathToken(token) ? await find(hashToken(token), isFlooding) : undefined;
    if (printer?.kind === kind) return count(printer);
    if (isFlooding) return { result: 'flood', secondsLeft: FLOOD_S };
    floods.note(ip);
    return { result: 'wrong' };
  };

  async function find(tokenHash: string, isFlooding: boolean): Promise<Printer | undefined> {
    if (isFlooding && !(await readHashes()).has(tokenHash)) return undefined;
    return printers.findByToken(tokenHash);
  }

  function count(printer: Printer): OpenedPath {
    const rule = { limit: MAX_REQUESTS, nowMs: clock.nowMs() };
    const counted = countInWindow(windows.get(printer.id), rule);
    windows.set(printer.id, counted);
    const { accepted, secondsLeft } = verdictOn(1, rule, counted);
    return accepted ? { result: 'opened', printer } : { result: 'throttled', secondsLeft };
  }
}
