// Examines the clock and the time zone of this machine. A wrong clock lets vouchers, sessions and keys end at the wrong
// time; it is compared with PostgreSQL, the controllers and the newest record.

import type { Config } from '../../config/config.ts';
import { isDoubtful, untilTrustedMs } from '../../domain/clock-check/clock-check.ts';
import type { Finding } from '../../domain/health/finding.ts';
import type { Installation } from '../installation.ts';
import { fault, ok, warning } from './finding.ts';

/** Smaller differences between clocks do not count. */
const MINUTE_MS = 60_000;
const MIN_FAULT_MS = 5 * MINUTE_MS;

/** Another clock, and by how much it is ahead of this machine's clock. Negative: it is behind. */
export interface ComparedClock {
  of: { kind: 'postgresql' | 'record' } | { kind: 'controller'; site: string };
  aheadMs: number;
}

/**
 * A record of the future was written while the clock was ahead, or the clock is behind now. If another clock agrees with
 * this machine's clock, it was ahead: it has been corrected since, and the record stays as it is.
 */
export function judgeClock(nowMs: number, clocks: ComparedClock[]): Finding[] {
  const others = clocks.filter(({ of }) => of.kind !== 'record');
  const record = clocks.find(({ of, aheadMs }) => of.kind === 'record' && aheadMs >= MINUTE_MS);
  const wrong = others.filter(({ aheadMs }) => Math.abs(aheadMs) >= MINUTE_MS);
  const agreeing = others.length > wrong.length;
  // If this machine's clock is behind, the newest record is dated in the future, too: report one problem, not two.
  const isEcho = record && wrong.some(({ aheadMs }) => record.aheadMs < aheadMs + MINUTE_MS);
  const compared = record && !agreeing && !isEcho ? [...wrong, record] : wrong;
  if (compared.length > 0) return groupEqual(compared).map((group) => judgeDifference(nowMs, group));

  return [
    record
      ? ok({ kind: 'clock-was-ahead', nowMs, untilMs: nowMs + record.aheadMs })
      : ok({ kind: 'clock-ok', nowMs, ...nameClocks(others) }),
  ];
}

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

function judgeDifference(nowMs: number, group: Group): Finding {
  const [{ of, aheadMs }] = group;
  const judge = Math.abs(aheadMs) >= MIN_FAULT_MS ? fault : warning;
  return of.kind === 'record'
    ? judge({ kind: 'clock-behind-record', nowMs, aheadMs })
    : judge({ kind: 'clock-off', nowMs, aheadMs, ...nameClocks(group) });
}

function nameClocks(clocks: ComparedClock[]): { sites: string[]; isDatabase: boolean } {
  return {
    sites: clocks.flatMap(({ of }) => (of.kind === 'controller' ? of.site : [])),
    isDatabase: clocks.some(({ of }) => of.kind === 'postgresql'),
  };
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

/** While the clock is doubted, reports that nothing is deleted by age, and what ends the doubt. */
export async function examineHeartbeat({ clockRecords, clock }: Installation): Promise<Finding[]> {
  const nowMs = clock.nowMs();
  const record = await clockRecords.read(nowMs);
  // While the service is stopped, the difference grows without a fault. The service stores the doubt when it starts.
  if (!record.doubt || !isDoubtful(record, nowMs)) return [];
  const { heartbeatMs } = record;
  return [warning({ kind: 'clock-doubted', nowMs, heartbeatMs, untilTrustedMs: untilTrustedMs(record) })];
}

export async function examineRetention({ retention, settings }: Installation): Promise<Finding[]> {
  const { limitsDeletions, keepVouchersDays, keepAuditDays } = await settings.read();
  const keptDays = { vouchers: keepVouchersDays, batches: keepVouchersDays, auditRows: keepAuditDays };
  const heldBack = (await retention.listHeldBack()).filter((kind) => keptDays[kind] !== null);
  return limitsDeletions && heldBack.length > 0 ? [warning({ kind: 'retention-held-back' })] : [];
}

/** A server in UTC is common and does not say where its users are. */
export function examineTimeZone({ timeZone }: Config, nowMs: number): Finding {
  const machine = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const [here, there] = [timeZone, machine].map((zone) =>
    new Intl.DateTimeFormat('sv', { timeZone: zone, dateStyle: 'short', timeStyle: 'short' }).format(nowMs),
  );
  return here === there || /^(Etc\/)?(UTC|GMT)$/.test(machine)
    ? ok({ kind: 'zone-ok', zone: timeZone })
    : warning({ kind: 'zone-other', zone: timeZone, machine });
}
