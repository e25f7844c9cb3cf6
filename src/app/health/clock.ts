// Examines the clock and the time zone of this machine. A wrong clock lets vouchers, sessions and keys end at the wrong
// time; it is compared with PostgreSQL, the controllers and the newest record.

import type { Config } from '../../config/config.ts';
import type { Installation } from '../installation.ts';
import { type Finding, fault, ok, sayDuration, sayTime, warning } from './finding.ts';

const MINUTE_MS = 60_000;
const MAX_NAMED = 3;
const MIN_FAULT_MS = 5 * MINUTE_MS;

/** Another clock, and by how much it is ahead of this machine's clock. Negative: it is behind. */
export interface ComparedClock {
  of: 'PostgreSQL' | `the controller of ${string}` | 'the newest record';
  aheadMs: number;
}

export function judgeClock(nowMs: number, clocks: ComparedClock[]): Finding[] {
  const wrong = clocks.filter(
    ({ of, aheadMs }) =>
      // A record can be of any age, but not of the future.
      (of === 'the newest record' ? aheadMs : Math.abs(aheadMs)) >= MINUTE_MS,
  );
  if (wrong.length === 0) {
    const others = clocks.filter(({ of }) => of !== 'the newest record').map(({ of }) => of);
    const named = others.length > MAX_NAMED ? `${others.length} other clocks` : others.join(', ');
    const agrees = named ? `agrees with ${named}` : 'no record is newer';
    return [ok('clock', `${sayTime(nowMs)}, ${agrees}`)];
  }
  return wrong.map(({ of, aheadMs }) => {
    const difference = `${sayDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} ${of}`;
    const elsewhere = of === 'the newest record' ? '' : `, or correct the clock of ${of}`;
    const text = `this machine's clock (${sayTime(nowMs)}) is ${difference}: correct it with timedatectl set-ntp true${elsewhere}`;
    return Math.abs(aheadMs) >= MIN_FAULT_MS ? fault('clock', text) : warning('clock', text);
  });
}

/** The newest entry of the audit log, or the latest sync: undefined for a new installation. */
export async function newestRecordMs({ searchAudit, syncs }: Installation): Promise<number | undefined> {
  const { entries } = await searchAudit({ limit: 1 });
  const times = entries.map(({ atMs }) => atMs);
  for (const { syncedAtMs, failedAtMs } of (await syncs.list()).values())
    times.push(syncedAtMs ?? 0, failedAtMs ?? 0);
  return times.length > 0 ? Math.max(...times) : undefined;
}

/** A server in UTC is common and does not say where its users are. */
export function examineTimeZone({ timeZone }: Config, nowMs: number): Finding {
  const machine = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [here, there] = [timeZone, machine].map((zone) =>
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(nowMs),
  );
  const now = `${timeZone}, where it is ${here}`;
  return here === there || /^(Etc\/)?(UTC|GMT)$/.test(machine)
    ? ok('time zone', now)
    : warning(
        'time zone',
        `${now}; but this machine uses ${machine}: set TZ=${machine}, or TZ=${timeZone} to keep it`,
      );
}
