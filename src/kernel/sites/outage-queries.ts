// Queries that report once that a site fails, and once that it works again. They run in the transaction that records
// the outcome of a sync. That transaction locks the row of the site's sync, so that several instances report an outage
// only once.

import type { RawBuilder } from 'kysely';
import type { Handle } from '../../platform/database/database.ts';
import { type FailureCause, isCertificateCause } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import { type Outage, UNREACHABLE_AFTER_MS } from './site-sync.ts';

/** Stores the report in the same transaction, so that a crash neither loses nor repeats it. */
export type ReportOutage = (
  transaction: Handle,
  outage: Outage,
  occurred: { siteName: string; occurredAtMs: number },
) => Promise<void>;

interface Sync {
  siteName: string;
  nowMs: number;
  failingSinceMs: number;
  outageSinceMs: number | null;
  isCertificateReported: boolean;
}

/** A changed certificate is reported at once; any other failure only after a while, because most end by themselves. */
export async function reportFailure(
  handle: Handle,
  siteId: SiteId,
  { cause, now, report }: { cause: FailureCause | null; now: RawBuilder<number>; report: ReportOutage },
): Promise<void> {
  const sync = await selectSync(handle, siteId, now);
  if (!sync) return;
  const { siteName, nowMs, failingSinceMs, outageSinceMs, isCertificateReported } = sync;
  const sinceMs = outageSinceMs ?? failingSinceMs;
  const occurred = { siteName, occurredAtMs: nowMs };
  if (isCertificateCause(cause)) {
    if (isCertificateReported) return;
    await updateOutage(handle, siteId, { outage_since_ms: sinceMs, certificate_reported: 1 });
    await report(handle, { kind: 'certificate.changed', siteId, sinceMs }, occurred);
  } else if (outageSinceMs === null && nowMs - failingSinceMs >= UNREACHABLE_AFTER_MS) {
    await updateOutage(handle, siteId, { outage_since_ms: sinceMs, certificate_reported: 0 });
    await report(handle, { kind: 'site.unreachable', siteId, sinceMs, cause }, occurred);
  }
}

export async function reportSuccess(
  handle: Handle,
  siteId: SiteId,
  { now, report }: { now: RawBuilder<number>; report: ReportOutage },
): Promise<void> {
  const sync = await selectSync(handle, siteId, now);
  if (!sync || sync.outageSinceMs === null) return;
  await updateOutage(handle, siteId, { outage_since_ms: null, certificate_reported: 0 });
  const outage = { kind: 'site.recovered', siteId, sinceMs: sync.outageSinceMs } as const;
  await report(handle, outage, { siteName: sync.siteName, occurredAtMs: sync.nowMs });
}

async function selectSync(
  handle: Handle,
  siteId: SiteId,
  now: RawBuilder<number>,
): Promise<Sync | undefined> {
  const row = await handle
    .selectFrom('site_syncs')
    .innerJoin('sites', 'sites.id', 'site_syncs.site_id')
    .select(['name', 'failing_since_ms', 'outage_since_ms', 'certificate_reported', now.as('now_ms')])
    .where('site_id', '=', siteId)
    .executeTakeFirst();
  return (
    row && {
      siteName: row.name,
      nowMs: row.now_ms,
      failingSinceMs: row.failing_since_ms ?? row.now_ms,
      outageSinceMs: row.outage_since_ms,
      isCertificateReported: row.certificate_reported === 1,
    }
  );
}

async function updateOutage(
  handle: Handle,
  siteId: SiteId,
  reported: { outage_since_ms: number | null; certificate_reported: number },
): Promise<void> {
  await handle.updateTable('site_syncs').set(reported).where('site_id', '=', siteId).execute();
}
