// Rules for the clock and the time zone of this machine. With a wrong clock, vouchers, sessions and keys end at the
// wrong time. The clock is compared with PostgreSQL, the controllers and the newest record.

import { type Finding, fault, passed, warning } from '../health/finding.ts';
import { type ClockRecord, isDoubtful, untilTrustedMs } from './clock-check.ts';

/** Differences between clocks that are smaller than this are ignored. */
const MINUTE_MS = 60_000;
const MIN_FAULT_MS = 5 * MINUTE_MS;

/**
 * Another clock, and how far it is ahead of this machine's clock. `aheadMs` is negative if the other clock is behind.
 */
export interface ComparedClock {
  /** The site of the controller; undefined for the database server. */
  site?: string;
  aheadMs: number;
}

interface RecordDates {
  /** The date of the record that was written last. */
  lastRecordMs?: number | undefined;
  /** The newest date of a record that was written earlier. */
  newestDateMs?: number | undefined;
}

/**
 * A record can be dated in the future because the clock was ahead when it was written, or because the clock is behind
 * now. If another clock agrees with this machine's clock now, the clock was ahead and has been corrected since.
 */
export function judgeClock(
  nowMs: number,
  clocks: ComparedClock[],
  { lastRecordMs = nowMs, newestDateMs = lastRecordMs }: RecordDates = {},
): Finding[] {
  const wrong = clocks.filter(({ aheadMs }) => Math.abs(aheadMs) >= MINUTE_MS);
  const findings: Finding[] = groupEqual(wrong).map((group) => {
    const [{ aheadMs }] = group;
    return judgeDifference(aheadMs)({ kind: 'clock-off', nowMs, aheadMs, ...nameClocks(group) });
  });
  const untilMs = Math.max(lastRecordMs, newestDateMs);
  const isAhead = (atMs: number) => atMs - nowMs >= MINUTE_MS;
  const isConfirmed = clocks.length > wrong.length;
  // If another clock is ahead at least as far as the record, both show that this machine's clock is behind: report one.
  const isEcho = wrong.some((clock) => untilMs - nowMs < clock.aheadMs + MINUTE_MS);
  if (isAhead(untilMs) && !isConfirmed && !isEcho) {
    const aheadMs = lastRecordMs - nowMs;
    findings.push(
      isAhead(lastRecordMs)
        ? judgeDifference(aheadMs)({ kind: 'clock-behind-record', nowMs, aheadMs })
        : warning({ kind: 'clock-set-back', nowMs, untilMs }),
    );
  }
  if (findings.length > 0) return findings;

  return [
    isAhead(untilMs)
      ? passed({ kind: 'clock-was-ahead', nowMs, untilMs })
      : passed({ kind: 'clock-ok', nowMs, ...nameClocks(clocks) }),
  ];
}

const judgeDifference = (aheadMs: number) => (Math.abs(aheadMs) >= MIN_FAULT_MS ? fault : warning);

/**
 * Removes findings about syncs dated in the future if this machine's clock explains them: it is behind another clock by
 * at least as much as the sync is ahead.
 */
export function withoutSyncsExplainedBy(times: Finding[], nowMs: number, findings: Finding[]): Finding[] {
  const behindMs = Math.max(0, ...times.map(({ fact }) => (fact.kind === 'clock-off' ? fact.aheadMs : 0)));
  if (behindMs === 0) return findings;
  return findings.filter(
    ({ fact }) => fact.kind !== 'sync-future' || fact.atMs - nowMs >= behindMs + MINUTE_MS,
  );
}

type Group = [ComparedClock, ...ComparedClock[]];

/** Groups the clocks that differ from this machine's clock by about the same amount. */
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

/** Reports the controllers that work but did not show their clocks, or not in time. */
export function judgeNotCompared(sites: string[]): Finding[] {
  return sites.length > 0 ? [passed({ kind: 'clock-not-compared', sites })] : [];
}

/** While the clock is doubted, reports that nothing is deleted by age, and what ends the doubt. */
export function judgeHeartbeat(record: ClockRecord, nowMs: number): Finding[] {
  // While the service is stopped, the last heartbeat gets old, which is not a fault. So only a doubt that the running
  // service has stored is reported.
  if (!record.doubt || !isDoubtful(record, nowMs)) return [];
  const { heartbeatMs } = record;
  return [warning({ kind: 'clock-doubted', nowMs, heartbeatMs, untilTrustedMs: untilTrustedMs(record) })];
}

/** A machine in UTC is accepted with any time zone: many servers use UTC, wherever their users are. */
export function judgeTimeZone(zone: string, machine: string, nowMs: number): Finding {
  const [here, there] = [zone, machine].map((timeZone) =>
    new Intl.DateTimeFormat('sv', { timeZone, dateStyle: 'short', timeStyle: 'short' }).format(nowMs),
  );
  return here === there || /^(Etc\/)?(UTC|GMT)$/.test(machine)
    ? passed({ kind: 'zone-ok', zone })
    : warning({ kind: 'zone-other', zone, machine });
}
