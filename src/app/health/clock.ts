// Examines the clock and the time zone of this machine. A wrong clock lets vouchers, sessions and keys end at the wrong
// time; it is compared with PostgreSQL, the controllers and the newest record.

import type { Config } from '../../config/config.ts';
import type { OtherClock } from '../../domain/health/finding.ts';
import type { Installation } from '../installation.ts';
import { type Finding, fault, ok, sayDuration, sayTime, warning } from './finding.ts';

const MINUTE_MS = 60_000;
const MAX_NAMED = 3;
const MIN_FAULT_MS = 5 * MINUTE_MS;

/** Another clock, and by how much it is ahead of this machine's clock. Negative: it is behind. */
export interface ComparedClock {
  of: 'PostgreSQL' | `the controller of ${string}` | 'the newest record';
  aheadMs: number;
  other: OtherClock;
}

/**
 * A record of the future was written while the clock was ahead, or the clock is behind now. If another clock agrees with
 * this machine's clock, it was ahead: it has been corrected since, and the record stays as it is.
 */
export function judgeClock(nowMs: number, clocks: ComparedClock[]): Finding[] {
  const others = clocks.filter(({ other }) => other.kind !== 'record');
  const record = clocks.find(({ other, aheadMs }) => other.kind === 'record' && aheadMs >= MINUTE_MS);
  const wrong = others.filter(({ aheadMs }) => Math.abs(aheadMs) >= MINUTE_MS);
  const agreeing = others.length > wrong.length;
  if (wrong.length > 0 || (record && !agreeing))
    return [...wrong, ...(record && !agreeing ? [record] : [])].map((clock) => judgeDifference(nowMs, clock));

  const named =
    others.length > MAX_NAMED ? `${others.length} other clocks` : others.map(({ of }) => of).join(', ');
  const agrees = named ? `agrees with ${named}` : 'no record is newer';
  if (!record)
    return [ok('clock', `${sayTime(nowMs)}, ${agrees}`, { kind: 'clock-ok', comparedWith: others.length })];
  const untilMs = nowMs + record.aheadMs;
  return [
    ok('clock', `${sayTime(nowMs)}, ${agrees}; it was ahead once: a record is dated ${sayTime(untilMs)}`, {
      kind: 'clock-was-ahead',
      untilMs,
    }),
  ];
}

function judgeDifference(nowMs: number, { of, aheadMs, other }: ComparedClock): Finding {
  const difference = `${sayDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} ${of}`;
  const otherwise =
    other.kind === 'record'
      ? '; if it is right now, it was ahead once, and the next sync and the next entry of the audit log end this finding'
      : `, or correct the clock of ${of}`;
  const text = `this machine's clock (${sayTime(nowMs)}) is ${difference}: correct it with timedatectl set-ntp true${otherwise}`;
  const judge = Math.abs(aheadMs) >= MIN_FAULT_MS ? fault : warning;
  return judge('clock', text, { kind: 'clock-off', other, aheadMs });
}

/** The entry of the audit log that was written last, or the latest sync: undefined for a new installation. */
export async function newestRecordMs({
  searchAudit,
  sites,
  syncs,
}: Installation): Promise<number | undefined> {
  const { entries } = await searchAudit({ limit: 1 });
  const times = entries.map(({ atMs }) => atMs);
  const known = await syncs.list();
  // The syncs of inactive sites stay as they are.
  for (const { id } of await sites.listActive()) {
    const { syncedAtMs, failedAtMs } = known.get(id) ?? {};
    times.push(syncedAtMs ?? 0, failedAtMs ?? 0);
  }
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
    ? ok('time zone', now, { kind: 'zone-ok', zone: timeZone })
    : warning(
        'time zone',
        `${now}; but this machine uses ${machine}: set TZ=${machine}, or TZ=${timeZone} to keep it`,
        { kind: 'zone-other', zone: timeZone, machine },
      );
}
