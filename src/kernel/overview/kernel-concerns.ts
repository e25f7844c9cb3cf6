// The concerns of what every installation has: sites that fail, orders that failed, lost and overdue vouchers, and a
// doubted clock.

import { sayTime } from '../../platform/texts/durations.ts';
import { toWholeSeconds } from '../../platform/time/clock.ts';
import { isDoubtful } from '../clock-check/clock-check.ts';
import {
  type FailureCause,
  failureGroupOf,
  isCertificateCause,
  isFixedByConnection,
} from '../controllers/controller.ts';
import type { Installation } from '../installation.ts';
import type { Site } from '../sites/site.ts';
import { isFailing, type SiteSync, staleAfterMs } from '../sites/site-sync.ts';
import { OVERDUE_S } from '../vouchers/ended-vouchers.ts';
import type { LastFailure } from '../vouchers/failed-orders.ts';
import type { Concern, ConcernSource, Reader, Way } from './concern.ts';

export const kernelConcerns: ConcernSource[] = [
  { place: 10, find: findSiteConcerns },
  { place: 20, find: findLosses },
  { place: 30, find: findOverdue },
  { place: 50, find: findClockConcerns },
];

type Found = Omit<Concern, 'name' | 'all' | 'way'> & Partial<Pick<Concern, 'way'>>;

/** Unless it says another way, the button leads to the site. */
const concernOf = (site: Site, found: Found): Concern => ({
  name: site.name,
  all: ({ messages }, count) => messages.overview.sites(count),
  way: ({ messages }) => ({ href: `/sites/${site.id}`, label: messages.overview.toSite }),
  ...found,
});

async function findSiteConcerns(installation: Installation): Promise<Concern[]> {
  const { sites, syncs, failedOrders, syncIntervalS, clock } = installation;
  const nowMs = clock.nowMs();
  const known = await syncs.list();
  const neverTried = await syncs.listNeverTried(nowMs - staleAfterMs(syncIntervalS));
  const failures = await failedOrders.list();
  return (await sites.listActive()).flatMap((site) => {
    if (neverTried.includes(site.id)) return [neverSynced(site)];
    const sync = known.get(site.id);
    const failure = failures.get(site.id);
    if (!sync || !isFailing(sync))
      return failure && !isOver(failure, sync) ? [orderFailed(site, failure)] : [];
    return [siteFailing(site, sync.failingSinceMs ?? sync.failedAtMs ?? nowMs, sync.cause)];
  });
}

/** A sync shows that the controller can be reached again. It does not show that the controller accepts orders. */
function isOver({ cause, atMs }: LastFailure, sync: SiteSync | undefined): boolean {
  const wasUnreachable = failureGroupOf(cause) === 'away' || isCertificateCause(cause);
  return wasUnreachable && (sync?.syncedAtMs ?? 0) > atMs;
}

const neverSynced = (site: Site) =>
  concernOf(site, {
    likeness: 'site-never-synced',
    what: ({ messages }, who) => messages.overview.siteNeverSynced(who),
  });

const siteFailing = (site: Site, sinceMs: number, cause: FailureCause | null) =>
  concernOf(site, {
    likeness: `site-failing ${cause}`,
    what: ({ messages }, who) => `${who}: ${messages.failures.causes[cause ?? 'unknown']}`,
    sinceMs,
    advice: ({ messages }) => messages.admin.sites.fixes[cause ?? 'unknown'],
    way: (reader) => wayToSite(reader, site, cause),
  });

/** The last order or revocation at the site failed. */
const orderFailed = (site: Site, { action, cause, atMs }: LastFailure) =>
  concernOf(site, {
    likeness: `order-failed ${action} ${cause}`,
    what: ({ messages }, who) => messages.overview.orderFailed[action](who),
    when: (reader) => reader.messages.overview.at(sayTime(atMs, reader)),
    advice: ({ messages: { failures, admin } }) =>
      `${failures.causes[cause ?? 'unknown']}. ${admin.sites.fixes[cause ?? 'unknown']}`,
    way: (reader) => wayToSite(reader, site, cause),
  });

function wayToSite(
  { messages: { overview: text } }: Reader,
  { id, connection }: Site,
  cause: FailureCause | null,
): Way {
  const href = `/sites/${id}`;
  if (isCertificateCause(cause))
    return { href, label: text.toCertificate, ...(connection && { compared: { id, connection } }) };
  return connection && isFixedByConnection(cause)
    ? { href: `${href}/access`, label: text.toConnection }
    : { href, label: text.toSite };
}

async function findLosses({ lostVouchers, sites, clock }: Installation): Promise<Concern[]> {
  const lost = await lostVouchers.countPerSite(toWholeSeconds(clock.nowMs()));
  if (lost.size === 0) return [];
  return (await sites.listActive()).flatMap((site) => {
    const found = lost.get(site.id);
    if (!found) return [];
    return [
      concernOf(site, {
        likeness: 'vouchers-lost',
        figures: [found.count],
        what: ({ messages }, who, [count = 0]) => messages.lostVouchers.concern(who, count),
        when: (reader) => reader.messages.lostVouchers.noticed(sayTime(found.noticedAtS * 1_000, reader)),
        advice: ({ messages }, [count = 0]) => messages.lostVouchers.means(count),
        way: ({ messages }) => ({ href: `/sites/${site.id}/lost`, label: messages.lostVouchers.again }),
      }),
    ];
  });
}

/** Vouchers that are still on the controller long after their end. */
async function findOverdue(installation: Installation): Promise<Concern[]> {
  const { endedVouchers, settings, retention, sites, clock } = installation;
  const overdue = await endedVouchers.countOverdue(toWholeSeconds(clock.nowMs()) - OVERDUE_S);
  if (overdue.size === 0) return [];
  const { limitsDeletions } = await settings.read();
  // Deletions have reached their daily limit.
  const atLimit = limitsDeletions && (await retention.listHeldBack()).includes('endedVouchers');
  return (await sites.listActive()).flatMap((site) => {
    const found = overdue.get(site.id);
    if (!found) return [];
    return [
      concernOf(site, {
        likeness: 'vouchers-overdue',
        figures: [found.count],
        what: ({ messages }, who, [count = 0]) => messages.overview.overdue(who, count),
        when: (reader) => reader.messages.overview.overdueDetail(sayTime(found.endsAtS * 1_000, reader)),
        advice: ({ messages }) => messages.overview.overdueAdvice[atLimit ? 'limit' : 'console'],
        ...(atLimit && {
          way: ({ messages }) => ({ href: '/settings#retention', label: messages.health.toRetention }),
        }),
      }),
    ];
  });
}

async function findClockConcerns({ clockRecords, clock }: Installation): Promise<Concern[]> {
  const nowMs = clock.nowMs();
  if (!isDoubtful(await clockRecords.read(nowMs), nowMs)) return [];
  return [
    {
      likeness: 'clock-doubted',
      what: ({ messages }) => messages.overview.clockDoubted,
      way: ({ messages }) => ({ href: '/health', label: messages.overview.toHealth }),
    },
  ];
}
