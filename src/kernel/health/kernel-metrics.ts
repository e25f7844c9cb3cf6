// The metrics of what every installation has: sites, vouchers, logins, API keys, waiting work and the clock.

import type { Backlog, Backlogs } from '../../platform/database/backlogs.ts';
import { type Counter, gauge, labelled, type Metric } from '../../platform/metrics/metric.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import type { SiteId } from '../ids.ts';
import type { Installation } from '../installation.ts';
import type { KeyRefusal } from '../keys/verify-key.ts';
import { CHECK_RESULTS, type CheckResult } from '../sessions/web-session.ts';
import { isFailing, type SiteSync } from '../sites/site-sync.ts';

const FAILED_LOGINS = [
  ...['wrong-credentials', 'wrong-confirmation', 'wrong-code', 'wait', 'unknown-device'],
  ...['provider-unreachable', 'token-refused', 'provider-denied', 'claims-refused', 'no-rule'],
  ...['email-unverified', 'email-unusable', 'account-disabled', 'last-admin'],
  ...['proxy-user-unknown', 'proxy-header-wrong'],
];

export const LOGINS: Counter<{ result: string }> = {
  place: 70,
  name: 'gastpass_logins_total',
  help: 'Attempts to log in to the web interface, by result',
  startsWith: FAILED_LOGINS.map((result) => ({ result })),
};

export const SESSION_CHECKS: Counter<{ result: CheckResult }> = {
  place: 71,
  name: 'gastpass_session_checks_total',
  help: 'Sessions checked at the identity provider, by result',
  startsWith: CHECK_RESULTS.map((result) => ({ result })),
};

export const KEY_REFUSALS: Counter<{ reason: KeyRefusal['reason'] }> = {
  place: 110,
  name: 'gastpass_api_keys_refused_total',
  help: 'Requests refused because of their API key, by reason',
  startsWith: [],
};

export const VOUCHER_FAILURES: Counter<{ site: SiteId; reason: string }> = {
  place: 120,
  name: 'gastpass_voucher_failures_total',
  help: 'Orders that did not get their vouchers, by site and reason',
  startsWith: [],
};

export const SETTLED: Counter<{ outcome: 'recorded' | 'forgotten' }> = {
  place: 210,
  name: 'gastpass_intents_settled_total',
  help: 'Open intents that were settled, by outcome',
  startsWith: [{ outcome: 'recorded' }, { outcome: 'forgotten' }],
};

export function kernelMetrics(installation: Installation): Metric[] {
  return [
    ...[LOGINS, SESSION_CHECKS, KEY_REFUSALS, VOUCHER_FAILURES, SETTLED],
    { place: 20, read: () => readSites(installation) },
    { place: 30, read: () => readWaiting(installation) },
    { place: 50, read: () => readClock(installation) },
  ];
}

/** Leaves out inactive sites: a failed last sync of such a site no longer matters. */
async function listActiveSyncs({ sites, syncs }: Installation): Promise<[SiteId, SiteSync][]> {
  const active = new Set((await sites.listActive()).map(({ id }) => id));
  return [...(await syncs.list())].filter(([id]) => active.has(id));
}

async function readSites(installation: Installation): Promise<string> {
  const { lostVouchers, clock } = installation;
  const syncs = await listActiveSyncs(installation).catch(() => []);
  const lost = await lostVouchers.countPerSite(toWholeSeconds(clock.nowMs())).catch(() => undefined);
  const perSite = (read: (id: SiteId, sync: SiteSync) => number) =>
    labelled(
      'site',
      syncs.map(([id, sync]) => [id, read(id, sync)]),
    );
  return [
    gauge(
      'gastpass_site_synced_timestamp_seconds',
      'When a site was last synced with its controller',
      perSite((_, { syncedAtMs }) => (syncedAtMs ?? 0) / 1000),
    ),
    gauge(
      'gastpass_site_sync_failing',
      'Whether the last sync of a site with its controller failed',
      perSite((_, sync) => (isFailing(sync) ? 1 : 0)),
    ),
    gauge(
      'gastpass_vouchers_lost',
      'Unused vouchers that are missing on the controller and have no replacement',
      lost && perSite((id) => lost.get(id)?.count ?? 0),
    ),
  ].join('');
}

/**
 * For each backlog: the name and the help text of the metric for its length, and the name in the metric for the age of
 * its oldest entry.
 */
const BACKLOGS: readonly (readonly [keyof Backlogs, string, string, string])[] = [
  ['outbox', 'outbox_waiting', 'Notifications that are not assigned to webhooks yet', 'outbox'],
  ['intents', 'intents_open', 'Orders to controllers whose outcome is not known yet', 'intents'],
  ['deliveries', 'deliveries_waiting', 'Notifications that are not delivered yet', 'deliveries'],
  ['mails', 'mails_waiting', 'E-mails that are not sent yet', 'mails'],
  ['revocations', 'bulk_revocations_running', 'Bulk revocations that have not ended', 'bulk_revocations'],
  [
    'endedVouchers',
    'ended_vouchers_waiting',
    'Vouchers whose end has passed and that are not deleted on their controllers yet',
    'ended_vouchers',
  ],
];

async function readWaiting({ readBacklogs }: Installation): Promise<string> {
  const backlogs = await readBacklogs().catch(() => undefined);
  return BACKLOGS.map(([name, length, help, subject]) => {
    const backlog: Backlog | undefined = backlogs?.[name];
    return (
      gauge(`gastpass_${length}`, help, backlog?.count) +
      gauge(
        `gastpass_${subject}_oldest_seconds`,
        'How long the oldest entry has waited',
        backlog && backlog.oldestMs / 1000,
      )
    );
  }).join('');
}

async function readClock({ readNewestDate, readTrustedTime }: Installation): Promise<string> {
  const newest = await readNewestDate().catch(() => undefined);
  const clockDoubted = await readTrustedTime().then(
    (time) => (time ? 0 : 1),
    () => undefined,
  );
  return (
    gauge(
      'gastpass_clock_doubted',
      'Whether the clock is doubted, so that nothing is deleted by age',
      clockDoubted,
    ) +
    gauge(
      'gastpass_newest_record_ahead_seconds',
      'How far the newest record is dated ahead of the clock, which was then set back; 0 if it is not',
      newest && Math.max(0, newest.aheadMs) / 1000,
    )
  );
}
