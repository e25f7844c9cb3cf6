// Rules for the records. `doctor` reports orders that stay open, vouchers that were lost, and deletions that have
// reached their daily limit.
// `verify` checks that the database is intact, all sealed values can be opened, and the records agree with the
// controllers.

import { toOneLine } from '../../platform/text/one-line.ts';
import { REQUEST_DEADLINE_MS } from '../../platform/time/deadline.ts';
import type { Result } from '../../platform/values/result.ts';
import type { ControllerFailure } from '../controllers/controller.ts';
import type { Settings } from '../settings/settings.ts';
import type { Site } from '../sites/site.ts';
import type { Comparison } from '../vouchers/compare-site.ts';
import type { LimitedKind } from '../vouchers/deletion-limit.ts';
import type { LostCount } from '../vouchers/lost-vouchers.ts';
import { LATE_CREATION_MS } from '../vouchers/settle-intents.ts';
import type { Intent } from '../vouchers/voucher-records.ts';
import { type AnyFinding, type Finding, fault, passed, type TerminalFinding, warning } from './finding.ts';
import { judgeBroken, type SealedTally } from './judge-secrets.ts';

const OVERDUE_MS = 2 * (REQUEST_DEADLINE_MS + LATE_CREATION_MS);

export function judgeIntents(intents: Pick<Intent, 'createdAtMs'>[], nowMs: number): Finding {
  const overdue = intents.filter(({ createdAtMs }) => createdAtMs < nowMs - OVERDUE_MS);
  return overdue.length === 0
    ? passed({ kind: 'intents-ok', count: intents.length })
    : warning({ kind: 'intents-overdue', count: overdue.length });
}

/** An active site with lost vouchers. */
export interface LossFacts {
  site: Pick<Site, 'id' | 'name'>;
  lost: LostCount;
}

export function judgeLosses(all: LossFacts[]): Finding[] {
  return all.map(({ site: { id, name }, lost: { count, noticedAtS } }) =>
    warning({ kind: 'vouchers-lost', siteId: id, site: name, count, noticedAtMs: noticedAtS * 1_000 }),
  );
}

/**
 * `heldBack`: the kinds of records whose deletion has reached its daily limit. `hasDue`: whether vouchers wait to be
 * deleted on their controllers after their end.
 */
export function judgeDeletions(
  heldBack: LimitedKind[],
  { limitsDeletions, keepVouchersDays, keepAuditDays }: Settings,
  hasDue: boolean,
): Finding[] {
  if (!limitsDeletions) return [];
  const keptDays = { vouchers: keepVouchersDays, batches: keepVouchersDays, auditRows: keepAuditDays };
  const isHeldBack = heldBack.some((kind) => kind !== 'endedVouchers' && keptDays[kind] !== null);
  return [
    ...(isHeldBack ? [warning({ kind: 'retention-held-back' })] : []),
    ...(hasDue && heldBack.includes('endedVouchers') ? [warning({ kind: 'ended-vouchers-held-back' })] : []),
  ];
}

export interface RecordFacts {
  /** `unreadable`: the error, if the database could not be read to its end. */
  database: { rows: number; defects: string[] } | { unreadable: string };
  sealed: Pick<SealedTally, 'count' | 'broken'>;
  sites: { site: Site; compared: Result<Comparison, ControllerFailure> }[];
}

export function judgeRecords({ database, sealed: { count, broken }, sites }: RecordFacts): AnyFinding[] {
  return [
    ...judgeRows(database),
    ...(broken.length > 0 ? judgeBroken(broken) : [passed({ kind: 'sealed-ok', count })]),
    ...sites.flatMap(judgeVouchers),
  ];
}

function judgeRows(database: RecordFacts['database']): TerminalFinding[] {
  if ('unreadable' in database)
    return [fault({ kind: 'rows-unreadable', detail: toOneLine(database.unreadable) })];
  const { rows, defects } = database;
  if (defects.length === 0) return [passed({ kind: 'rows-ok', rows })];
  return defects.map((defect) => fault({ kind: 'rows-defect', detail: toOneLine(defect) }));
}

function judgeVouchers({ site, compared }: RecordFacts['sites'][number]): TerminalFinding[] {
  const named = { siteId: site.id, site: site.name };
  if (!compared.ok)
    return [fault({ kind: 'vouchers-not-compared', detail: toOneLine(compared.problem.text), ...named })];
  const { listed, recorded, missing, unrecorded, missingInStock: count } = compared.value;
  const findings: TerminalFinding[] = [];
  if (missing.length > 0) {
    const found = recorded > 0 ? 'some' : listed > 0 ? 'none of ours' : 'none';
    findings.push(fault({ kind: 'vouchers-missing', ids: missing, found, ...named }));
  }
  if (count) findings.push(warning({ kind: 'stock-missing', count, ...named }));
  if (unrecorded.length > 0) {
    const names = unrecorded.map(toOneLine);
    findings.push(warning({ kind: 'vouchers-unrecorded', names, isImported: site.importsForeign, ...named }));
  }
  return findings.length > 0 ? findings : [passed({ kind: 'vouchers-agree', count: listed, ...named })];
}
