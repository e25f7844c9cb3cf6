// `cmd/stamgr` of the classic API: authorises or unauthorises a device by its MAC address. `kick-sta` has no effect.

import type { ConsoleState, SimulatedSite } from '../console-state.ts';
import type { StoredGuest } from '../guest-store.ts';
import type { ConsoleResponse, Fields, Operation } from '../http.ts';
import type { Envelope } from './envelope.ts';
import { presentGuest } from './present.ts';
import { readVoucherOrder } from './voucher-order.ts';

/** `args` are the fields of the query and of the body; the body takes precedence. */
export type SiteCall = (site: SimulatedSite, args: Fields) => ConsoleResponse;

export interface SiteRoute {
  operation: Operation;
  respond: SiteCall;
}

const DEFAULT_MINUTES = 60;
const MAC = /^([0-9a-f]{2}:){5}[0-9a-f]{2}$/;

export function makeStationCommands(
  { guests, nowS }: ConsoleState,
  envelope: Envelope,
): Record<string, SiteRoute> {
  const invalid = () => envelope.refuse(400, 'api.err.InvalidArgs');

  const authorize: SiteCall = (site, args) => {
    const mac = readMac(args);
    // The limits have the same argument names as those of a voucher. Only the duration is called `minutes`.
    const order = readVoucherOrder({ ...args, expire: args.minutes ?? DEFAULT_MINUTES });
    if (mac === undefined || !order) return invalid();
    const { durationMinutes, downKbps, upKbps, usageQuotaMb } = order.voucher;
    const startS = nowS();
    const times = { startS, endS: startS + durationMinutes * 60 };
    const link = { siteId: site.id, by: 'api' as const, voucherId: null, voucherCode: null };
    const guest = guests.letIn({ ...link, ...times, downKbps, upKbps, usageQuotaMb }, mac);
    return envelope.ok([presentGuest(guest, startS)]);
  };

  const forKnown =
    (act: (guest: StoredGuest) => void): SiteCall =>
    (site, args) => {
      const mac = readMac(args);
      if (mac === undefined) return invalid();
      const guest = guests.findByMac(site.id, mac);
      if (!guest) return envelope.refuse(400, 'api.err.UnknownStation', { mac });
      act(guest);
      return envelope.ok([]);
    };

  const unauthorize = forKnown((guest) => guests.end(guest, nowS()));
  const kick = forKnown(() => {});

  return {
    'cmd/stamgr authorize-guest': { operation: 'guest-command', respond: authorize },
    'cmd/stamgr unauthorize-guest': { operation: 'guest-command', respond: unauthorize },
    'cmd/stamgr kick-sta': { operation: 'guest-command', respond: kick },
  };
}

function readMac({ mac }: Fields): string | undefined {
  const text = typeof mac === 'string' ? mac.toLowerCase() : '';
  return MAC.test(text) ? text : undefined;
}
