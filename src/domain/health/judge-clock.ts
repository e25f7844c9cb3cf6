// Rules for the clock and the time zone of this machine. A wrong clock lets vouchers, sessions and keys end at the wrong
// time; it is compared with PostgreSQL, the controllers and the newest record.

import { type ClockRecord, isDoubtful, untilTrustedMs } from '../clock-check/clock-check.ts';
import { type Finding, fault, passed, warning } from './finding.ts';

/** Smaller differences between clocks do not count. */
const MINUTE_MS = 60_000;
const MIN_FAULT_MS = 5 * MINUTE_MS;

/** Another clock, and by how much it is ahead of this machine's clock. Negative: it is behind. */
export interface ComparedClock {
  /** The site of the controller; undefined for the database server. */
  site?: string;
  aheadMs: number;
}

/**
 * A record of the future was written while the clock was ahead, or the clock is behind now. If another clock agrees with
 * this machine's clock, it was ahead: it has been corrected since, and the record stays as it is.
 */
export function judgeClock(nowMs: number, clocks: ComparedClock[], newestRecordMs = nowMs): Finding[] {
  const wrong = clocks.filter(({ aheadMs }) => Math.abs(aheadMs) >= MINUTE_MS);
  const findings: Finding[] = groupEqual(wrong).map((group) => {
    const [{ aheadMs }] = group;
    return judgeDifference(aheadMs)({ kind: 'clock-off', nowMs, aheadMs, ...nameClocks(group) });
  });
  const aheadMs = newestRecordMs - nowMs;
  const isRecordAhead = aheadMs >= MINUTE_MS;
  const isConfirmed = clocks.length > wrong.length;
  // If this machine's clock is behind, the newest record is dated in the future, too: report one problem, not two.
  const isEcho = wrong.some((clock) => aheadMs < clock.aheadMs + MINUTE_MS);
  if (isRecordAhead && !isConfirmed && !isEcho)
    findings.push(judgeDifference(aheadMs)({ kind: 'clock-behind-record', nowMs, aheadMs }));
  if (findings.length > 0) return findings;

  return [
    isRecordAhead
      ? passed({ kind: 'clock-was-ahead', nowMs, untilMs: newestRecordMs })
      : passed({ kind: 'clock-ok', nowMs, ...nameClocks(clocks) }),
  ];
}

const judgeDifference = (aheadMs: number) => (Math.abs(aheadMs) >= MIN_FAULT_MS ? fault : warning);

/** If other clocks show that this machine's clock is behind, syncs that are ahead by as much need no findings. */
export function withoutSyncsExplainedBy(times: Finding[], nowMs: number, findings: Finding[]): Finding[] {
  const behindMs = Math.max(0, ...times.map(({ fact }) => (fact.kind === 'clock-off' ? fact.aheadMs : 0)));
  if (behindMs === 0) return findings;
  return findings.filter(
    ({ fact }) => fact.kind !== 'sync-future' || fact.atMs - nowMs >= behindMs + MINUTE_MS,
  );
}

type Group = [ComparedClock, ...ComparedClock[]];

/** Clocks that differ from this machine's clock by the same amount agree with each other. */
function groupEqual(clocks: ComparedClock[]): Group[] {
  const groups: Group[] = [];
  for (const clock of clocks) {
    const same = groups.find(([first]) => Math.abs(first.aheadMs - clock.aheadMs) < MINUTE_MS);
    if (same) same.push(clock);
    else groups.push([clock]);
  }
  return groups;
}

function nameClocks(clocks: ComparedClock[]): { sites: string[]; isDatabase: boolean } {
  return {
    sites: clocks.flatMap(({ site }) => site ?? []),
    isDatabase: clocks.some(({ site }) => site === undefined),
  };
}

/** While the clock is doubted, reports that nothing is deleted by age, and what ends the doubt. */
export function judgeHeartbeat(record: ClockRecord, nowMs: number): Finding[] {
  // While the service is stopped, the difference grows without a fault. The service stores the doubt when it starts.
  if (!record.doubt || !isDoubtful(record, nowMs)) return [];
  const { heartbeatMs } = record;
  return [warning({ kind: 'clock-doubted', nowMs, heartbeatMs, untilTrustedMs: untilTrustedMs(record) })];
}

/** A server in UTC is common and does not say where its users are. */
export function judgeTimeZone(zone: string, machine: string, nowMs: number): Finding {
  const [here, there] = [zone, machine].map((timeZone) =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(nowMs),
  );
  return here === there || /^(Etc\/)?(UTC|GMT)$/.test(machine)
    ? passed({ kind: 'zone-ok', zone })
    : warning({ kind: 'zone-other', zone, machine });
}
