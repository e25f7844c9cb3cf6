// What needs the attention of an administrator: sites, orders, printers, webhooks and mails that fail, silent screens,
// lost and overdue vouchers, low reserves, and a doubted clock.
// The overview lists the concerns, and the menu shows their number.

import type { MailStore } from '../../features/mail/mail.ts';
import type { MailServerStore } from '../../features/mail/mail-server.ts';
import type { Printer, PrinterStore } from '../../features/printers/printer.ts';
import {
  adviseOnPrinter,
  hasProblem,
  type PrinterAdvice,
  type StateNow,
  stateNow,
} from '../../features/printers/printer-state.ts';
import { isLow, type ReserveStore } from '../../features/reserve/reserve.ts';
import type { Screen, ScreenStore } from '../../features/screens/screen.ts';
import { lastHeardMs, screenState } from '../../features/screens/screen-state.ts';
import type { DeliveryStore } from '../../features/webhooks/delivery.ts';
import type { Webhook, WebhookStore } from '../../features/webhooks/webhook.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { type ClockRecordStore, isDoubtful } from '../clock-check/clock-check.ts';
import { type FailureCause, failureGroupOf, isCertificateCause } from '../controllers/controller.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import { isFailing, type SiteSync, type SyncStore, staleAfterMs } from '../sites/site-sync.ts';
import { type EndedVoucherStore, OVERDUE_S } from '../vouchers/ended-vouchers.ts';
import type { FailedOrderStore, LastFailure } from '../vouchers/failed-orders.ts';
import type { LostVoucherStore } from '../vouchers/lost-vouchers.ts';
import type { RetentionStore } from '../vouchers/retention.ts';

const DAY_MS = 24 * 60 * 60_000;
/** Deliveries that were given up longer ago than this are not reported. */
export const GIVEN_UP_DAYS = 7;
/** The number of concerns in the menu may be this old. */
export const COUNT_KEPT_MS = 10_000;

/** A reserve that is low and was not filled for this long is not filling up. */
const FILLED_WITHIN_MS = 10 * 60_000;

export type Concern =
  | { kind: 'site-failing'; site: Site; sinceMs: number; cause: FailureCause | null }
  | { kind: 'site-never-synced'; site: Site }
  | { kind: 'vouchers-lost'; site: Site; count: number; noticedAtMs: number }
  /** Vouchers that are still on the controller long after their end. `atLimit`: deletions have reached their daily limit. */
  | { kind: 'vouchers-overdue'; site: Site; count: number; endedAtMs: number; atLimit: boolean }
  /** The last order or revocation at the site failed. */
  | ({ kind: 'order-failed'; site: Site } & LastFailure)
  /** Fewer vouchers than half of those wanted are in reserve, and it is not filling up. */
  | { kind: 'reserve-low'; site: Site; ready: number; wanted: number }
  | { kind: 'clock-doubted' }
  /** The mail server does not take mails. `error` is what it said last. */
  | { kind: 'mail-server-failing'; error: string | null }
  /** Mails that were not delivered, and that no user has confirmed yet. */
  | { kind: 'mails-failed'; mails: number }
  | ({ kind: 'printer-failing'; printer: Printer; advice: PrinterAdvice } & StateNow)
  | { kind: 'screen-silent'; screen: Screen; sinceMs: number | null }
  | {
      kind: 'webhook-off' | 'webhook-failing' | 'webhook-gave-up';
      webhook: Webhook;
      /** The number of deliveries that were given up in the last `GIVEN_UP_DAYS` days. */
      givenUp: number;
    };

export type FindConcerns = () => Promise<Concern[]>;

interface Deps {
  sites: Pick<SiteStore, 'list' | 'listActive'>;
  syncs: Pick<SyncStore, 'list' | 'listNeverTried'>;
  lostVouchers: Pick<LostVoucherStore, 'countPerSite'>;
  endedVouchers: Pick<EndedVoucherStore, 'countOverdue'>;
  retention: Pick<RetentionStore, 'listHeldBack'>;
  settings: Pick<SettingsStore, 'read'>;
  reserves: Pick<ReserveStore, 'list'>;
  failedOrders: Pick<FailedOrderStore, 'list'>;
  syncIntervalS: number;
  printers: Pick<PrinterStore, 'list'>;
  screens: Pick<ScreenStore, 'list'>;
  webhooks: Pick<WebhookStore, 'list'>;
  deliveries: Pick<DeliveryStore, 'countGivenUp'>;
  clockRecords: Pick<ClockRecordStore, 'read'>;
  mails: Pick<MailStore, 'readServerState' | 'countUnread'>;
  mailServer: Pick<MailServerStore, 'find'>;
  clock: Clock;
}

export function makeFindConcerns(deps: Deps): FindConcerns {
  const {
    sites,
    syncs,
    lostVouchers,
    endedVouchers,
    retention,
    settings,
    failedOrders,
    reserves,
    syncIntervalS,
    printers,
    screens,
    webhooks,
    deliveries,
    clockRecords,
    mails,
    mailServer,
    clock,
  } = deps;

  return async () => [
    ...(await findSiteConcerns()),
    ...(await findLosses()),
    ...(await findOverdue()),
    ...(await findLowReserves()),
    ...(await findClockConcerns()),
    ...(await findMailConcerns()),
    ...(await findPrinterConcerns()),
    ...(await findScreenConcerns()),
    ...(await findWebhookConcerns()),
  ];

  async function findClockConcerns(): Promise<Concern[]> {
    const nowMs = clock.nowMs();
    return isDoubtful(await clockRecords.read(nowMs), nowMs) ? [{ kind: 'clock-doubted' }] : [];
  }

  async function findSiteConcerns(): Promise<Concern[]> {
    const nowMs = clock.nowMs();
    const known = await syncs.list();
    const neverTried = await syncs.listNeverTried(nowMs - staleAfterMs(syncIntervalS));
    const failures = await failedOrders.list();
    return (await sites.listActive()).flatMap((site): Concern[] => {
      if (neverTried.includes(site.id)) return [{ kind: 'site-never-synced', site }];
      const sync = known.get(site.id);
      const failure = failures.get(site.id);
      if (!sync || !isFailing(sync))
        return failure && !isOver(failure, sync) ? [{ kind: 'order-failed', site, ...failure }] : [];
      const sinceMs = sync.failingSinceMs ?? sync.failedAtMs ?? nowMs;
      return [{ kind: 'site-failing', site, sinceMs, cause: sync.cause }];
    });
  }

  async function findLosses(): Promise<Concern[]> {
    const lost = await lostVouchers.countPerSite(toWholeSeconds(clock.nowMs()));
    if (lost.size === 0) return [];
    return (await sites.listActive()).flatMap((site): Concern[] => {
      const found = lost.get(site.id);
      if (!found) return [];
      return [{ kind: 'vouchers-lost', site, count: found.count, noticedAtMs: found.noticedAtS * 1_000 }];
    });
  }

  async function findOverdue(): Promise<Concern[]> {
    const overdue = await endedVouchers.countOverdue(toWholeSeconds(clock.nowMs()) - OVERDUE_S);
    if (overdue.size === 0) return [];
    const { limitsDeletions } = await settings.read();
    const atLimit = limitsDeletions && (await retention.listHeldBack()).includes('endedVouchers');
    return (await sites.listActive()).flatMap((site): Concern[] => {
      const found = overdue.get(site.id);
      if (!found) return [];
      const { count, endsAtS } = found;
      return [{ kind: 'vouchers-overdue', site, count, endedAtMs: endsAtS * 1_000, atLimit }];
    });
  }

  async function findLowReserves(): Promise<Concern[]> {
    const low = (await reserves.list()).filter(isLow);
    if (low.length === 0) return [];
    const known = await syncs.list();
    const failures = await failedOrders.list();
    const active = await sites.listActive();
    return low.flatMap(({ siteId, ready, wanted, lastMadeAtMs }): Concern[] => {
      const site = active.find(({ id }) => id === siteId);
      const sync = known.get(siteId);
      const isAway = sync !== undefined && isFailing(sync);
      // If no voucher is left, the time of the last one is not known.
      const isOld = lastMadeAtMs !== null && clock.nowMs() - lastMadeAtMs > FILLED_WITHIN_MS;
      const isStuck = isAway || isOld || failures.has(siteId);
      return site && isStuck ? [{ kind: 'reserve-low', site, ready, wanted }] : [];
    });
  }

  async function findMailConcerns(): Promise<Concern[]> {
    const count = await mails.countUnread((await sites.list()).map(({ id }) => id));
    const failed: Concern[] = count > 0 ? [{ kind: 'mails-failed', mails: count }] : [];
    if (!(await mailServer.find())) return failed;
    const { failures, lastError } = await mails.readServerState();
    return failures > 0 ? [{ kind: 'mail-server-failing', error: lastError }, ...failed] : failed;
  }

  async function findPrinterConcerns(): Promise<Concern[]> {
    return (await printers.list()).flatMap((printer): Concern[] => {
      const now = stateNow(printer, clock.nowMs());
      const advice = adviseOnPrinter(printer, now);
      return advice && hasProblem(now.state) ? [{ kind: 'printer-failing', printer, advice, ...now }] : [];
    });
  }

  /** The screens of a site that is not active have nothing to show. */
  async function findScreenConcerns(): Promise<Concern[]> {
    const nowMs = clock.nowMs();
    const silent = (await screens.list()).filter((screen) => screenState(screen, nowMs) === 'silent');
    if (silent.length === 0) return [];
    const active = new Set((await sites.listActive()).map(({ id }) => id));
    return silent
      .filter(({ siteId }) => active.has(siteId))
      .map((screen): Concern => ({ kind: 'screen-silent', screen, sinceMs: lastHeardMs(screen) }));
  }

  async function findWebhookConcerns(): Promise<Concern[]> {
    const givenUp = await deliveries.countGivenUp(clock.nowMs() - GIVEN_UP_DAYS * DAY_MS);
    return (await webhooks.list()).flatMap((webhook): Concern[] => {
      const concern = { webhook, givenUp: givenUp.get(webhook.id) ?? 0 };
      if (webhook.offBecause !== null) return [{ kind: 'webhook-off', ...concern }];
      if (webhook.active && webhook.failures > 0) return [{ kind: 'webhook-failing', ...concern }];
      return concern.givenUp > 0 ? [{ kind: 'webhook-gave-up', ...concern }] : [];
    });
  }
}

/** A sync shows that the controller can be reached again. It does not show that the controller accepts orders. */
function isOver({ cause, atMs }: LastFailure, sync: SiteSync | undefined): boolean {
  const wasUnreachable = failureGroupOf(cause) === 'away' || isCertificateCause(cause);
  return wasUnreachable && (sync?.syncedAtMs ?? 0) > atMs;
}

/** Counts anew if the last count of this process is older than `keptMs`. */
export type CountConcerns = (keptMs?: number) => Promise<number>;

/** Counts at most once in COUNT_KEPT_MS, because every page of an administrator shows the number. */
export function makeCountConcerns(deps: { findConcerns: FindConcerns; clock: Clock }): CountConcerns {
  let counted: { atMs: number; count: Promise<number> } | undefined;

  return async function countConcerns(keptMs = COUNT_KEPT_MS) {
    const nowMs = deps.clock.nowMs();
    // If the last count is dated in the future, the clock was set back: count again.
    if (!counted || nowMs - counted.atMs >= keptMs || nowMs < counted.atMs)
      counted = { atMs: nowMs, count: count() };
    return counted.count;
  };

  /** Returns 0 if the concerns cannot be read, so that the page can still be shown. */
  async function count(): Promise<number> {
    return deps.findConcerns().then(
      (concerns) => concerns.length,
      () => 0,
    );
  }
}
