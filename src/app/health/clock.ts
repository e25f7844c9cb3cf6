// Examines the clock and the time zone of this machine. A wrong clock lets vouchers, sessions and keys end at the wrong
// time; it is compared with PostgreSQL, the controllers and the newest record.

import type { Config } from '../../config/config.ts';
import { isDoubtful, untilTrustedMs } from '../../domain/clock-check/clock-check.ts';
import type { Installation } from '../installation.ts';
import { type Finding, fault, ok, sayDuration, sayNames, sayTime, warning } from './finding.ts';

/** Smaller differences between clocks do not count. */
const MINUTE_MS = 60_000;
const MAX_NAMED = 3;
const MIN_FAULT_MS = 5 * MINUTE_MS;

/** Another clock, and by how much it is ahead of this machine's clock. Negative: it is behind. */
export interface ComparedClock {
  of: 'PostgreSQL' | `the controller of ${string}` | 'the newest record';
  aheadMs: number;
  other: { kind: 'postgresql' | 'record' } | { kind: 'controller'; site: string };
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
  // If this machine's clock is behind, the newest record is dated in the future, too: report one problem, not two.
  const isEcho = record && wrong.some(({ aheadMs }) => record.aheadMs < aheadMs + MINUTE_MS);
  const compared = record && !agreeing && !isEcho ? [...wrong, record] : wrong;
  if (compared.length > 0) return groupEqual(compared).map((group) => judgeDifference(nowMs, group));

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

/** If other clocks show that this machine's clock is behind, syncs that are ahead by as much need no findings. */
export function withoutSyncsExplainedBy(times: Finding[], nowMs: number, findings: Finding[]): Finding[] {
  const behindMs = Math.max(0, ...times.map(({ fact }) => (fact?.kind === 'clock-off' ? fact.aheadMs : 0)));
  if (behindMs === 0) return findings;
  return findings.filter(
    ({ fact }) => fact?.kind !== 'sync-future' || fact.atMs - nowMs >= behindMs + MINUTE_MS,
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
  const [{ of, aheadMs, other }, ...further] = group;
  const names = sayNames(
    group.map((clock) => clock.of),
    MAX_NAMED,
  );
  const difference = `${sayDuration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'behind' : 'ahead of'} ${names}`;
  const text = `this machine's clock (${sayTime(nowMs)}) is ${difference}: correct it with timedatectl set-ntp true`;
  const judge = Math.abs(aheadMs) >= MIN_FAULT_MS ? fault : warning;
  if (other.kind === 'record')
    return judge(
      'clock',
      `${text}; if it is right now, it was ahead once, and the next sync and the next entry of the audit log end this finding`,
      { kind: 'clock-behind-record', aheadMs },
    );
  const others = group.map((clock) => clock.other);
  return judge('clock', further.length > 0 ? text : `${text}, or correct the clock of ${of}`, {
    kind: 'clock-off',
    aheadMs,
    sites: others.flatMap((one) => (one.kind === 'controller' ? one.site : [])),
    isDatabase: others.some(({ kind }) => kind === 'postgresql'),
  });
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
  const leftMs = untilTrustedMs(record);
  const ahead = `${sayDuration(nowMs - record.heartbeatMs)} ahead of the last heartbeat`;
  return [
    warning(
      'clock',
      `nothing is deleted by age, because this machine's clock (${sayTime(nowMs)}) is ${ahead}: if it is right, run gastpass doctor --confirm-clock, otherwise timedatectl set-ntp true; it is trusted anyway when the service has run for ${sayDuration(leftMs)} more`,
      { kind: 'clock-doubted', nowMs, heartbeatMs: record.heartbeatMs, untilTrustedMs: leftMs },
    ),
  ];
}

export async function examineRetention({ retention, settings }: Installation): Promise<Finding[]> {
  const { limitsDeletions, keepVouchersDays, keepAuditDays } = await settings.read();
  const keptDays = { vouchers: keepVouchersDays, batches: keepVouchersDays, auditRows: keepAuditDays };
  const heldBack = (await retention.listHeldBack()).filter((kind) => keptDays[kind] !== null);
  if (!limitsDeletions || heldBack.length === 0) return [];
  return [
    warning(
      'retention',
      'has reached its daily limit and continues tomorrow: an administrator can lift the limit in the browser, at /settings',
      { kind: 'retention-held-back' },
    ),
  ];
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
