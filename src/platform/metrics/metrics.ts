// Prometheus metrics: HTTP requests, site syncs, open intents, webhook deliveries and the state of the process. The
// format is plain text, so no library is needed.

import type { GuestPageResult } from '../../features/guest-pages/open-guest-page.ts';
import type { Printer } from '../../features/printers/printer.ts';
import { REQUEST_RESULTS, type RequestResult } from '../../features/requests/ask.ts';
import type { StockCount } from '../../features/reserve/stock.ts';
import { SCREEN_ORDER_RESULTS, type ScreenOrderResult } from '../../features/screens/order-at-screen.ts';
import type { Screen } from '../../features/screens/screen.ts';
import { SCREEN_STATES, screenState } from '../../features/screens/screen-state.ts';
import type { Webhook } from '../../features/webhooks/webhook.ts';
import type { ReadTrustedTime } from '../../kernel/clock-check/clock-check.ts';
import type { SiteId } from '../../kernel/ids.ts';
import type { KeyRefusal } from '../../kernel/keys/verify-key.ts';
import { CHECK_RESULTS, type CheckResult } from '../../kernel/sessions/web-session.ts';
import { isFailing, type SiteSync, type SyncStore } from '../../kernel/sites/site-sync.ts';
import type { LostCount } from '../../kernel/vouchers/lost-vouchers.ts';
import { type BackupRecord, type BackupState, newestBackup } from '../backup/scheduled-backups.ts';
import type { Backlog, Backlogs } from '../database/backlogs.ts';
import type { StorageErrors } from '../database/tally-storage-errors.ts';
import { makeRequestTally } from '../log/request-tally.ts';
import type { Clock } from '../time/clock.ts';
import { makeLoopLag } from './loop-lag.ts';

/** These series start at 0: if a series starts at 1, Prometheus does not count that 1 as an increase. */
const FAILED_LOGINS = [
  ...['wrong-credentials', 'wrong-confirmation', 'wrong-code', 'wait', 'unknown-device'],
  ...['provider-unreachable', 'token-refused', 'provider-denied', 'claims-refused', 'no-rule'],
  ...['email-unverified', 'email-unusable', 'account-disabled', 'last-admin'],
  ...['proxy-user-unknown', 'proxy-header-wrong'],
];

/** A value without labels; values keyed by labels in Prometheus syntax; undefined if there is no value now. */
type Values = number | Record<string, number> | undefined;

function render(type: 'counter' | 'gauge', name: string, help: string, values: Values): string {
  const samples =
    typeof values === 'number'
      ? `${name} ${values}\n`
      : Object.entries(values ?? {})
          .map(([labels, value]) => `${name}{${labels}} ${value}\n`)
          .join('');
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${samples}`;
}

const counter = (name: string, help: string, values: Values) => render('counter', name, help, values);
const gauge = (name: string, help: string, values: Values) => render('gauge', name, help, values);

const labelled = (label: string, values: [string | number, number][]) =>
  Object.fromEntries(values.map(([key, value]) => [`${label}="${key}"`, value]));

function countStates(screens: Screen[], nowMs: number): [string, number][] {
  const states = screens.map((screen) => screenState(screen, nowMs));
  return SCREEN_STATES.map((state) => [state, states.filter((one) => one === state).length]);
}

interface Deps {
  version: string;
  readBacklogs: () => Promise<Backlogs>;
  listSyncs: SyncStore['list'];
  countLost: () => Promise<Map<SiteId, LostCount>>;
  listWebhooks: () => Promise<Webhook[]>;
  listPrinters: () => Promise<Printer[]>;
  countStock: () => Promise<StockCount[]>;
  listScreens: () => Promise<Screen[]>;
  clock: Clock;
  readTrustedTime: ReadTrustedTime;
  /** How far the newest record lies ahead of the clock, negative if it lies in the past; undefined without records. */
  readAheadMs: () => Promise<number | undefined>;
  countStorageErrors: StorageErrors['counts'];
  /** Undefined if the service makes no backups. */
  backups?: {
    list: () => Promise<BackupRecord[]>;
    /** Undefined for a backup of another instance, whose folder this instance does not see. */
    stateOf: (record: BackupRecord) => Promise<BackupState | undefined>;
    intervalS: number;
  };
}

export type Metrics = ReturnType<typeof makeMetrics>;

export function makeMetrics(deps: Deps) {
  const { version, readBacklogs, listSyncs, countLost, listWebhooks, listPrinters, countStock } = deps;
  const { listScreens, clock, readTrustedTime, readAheadMs, countStorageErrors, backups } = deps;
  const requests = makeRequestTally();
  const settled = { recorded: 0, forgotten: 0 };
  const webhookAttempts = { delivered: 0, failed: 0 };
  const mailAttempts = { delivered: 0, failed: 0 };
  const printAttempts = { delivered: 0, failed: 0 };
  const logins = Object.fromEntries(FAILED_LOGINS.map((result) => [result, 0]));
  const checks = Object.fromEntries(CHECK_RESULTS.map((result) => [result, 0]));
  const guestPages: Record<GuestPageResult, number> = { opened: 0, wrong: 0, throttled: 0 };
  const guestRequests = Object.fromEntries(REQUEST_RESULTS.map((result) => [result, 0]));
  const screenOrders = Object.fromEntries(SCREEN_ORDER_RESULTS.map((result) => [result, 0]));
  const keyRefusals: Record<string, number> = {};
  const voucherFailures: Record<string, number> = {};
  const stockFailures: Record<string, number> = {};
  let backupFailures = 0;
  const loopLag = makeLoopLag();

  async function collect(): Promise<string[]> {
    const { rss, heapUsed } = process.memoryUsage();
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    // If the database is unavailable, these values are omitted. The other metrics are still reported.
    const syncs = [...(await listSyncs().catch(() => new Map<SiteId, SiteSync>()))];
    const lost = await countLost().catch(() => undefined);
    const webhooks = await listWebhooks().catch(() => []);
    const printers = await listPrinters().catch(() => []);
    const stock = await countStock().catch(() => []);
    const screens = await listScreens().catch(() => undefined);
    const backlogs = await readBacklogs().catch(() => undefined);
    const aheadMs = await readAheadMs().catch(() => undefined);
    const clockDoubted = await readTrustedTime().then(
      (time) => (time ? 0 : 1),
      () => undefined,
    );
    return [
      gauge('gastpass_build_info', 'The version of this release, as a label', {
        [`version="${version}"`]: 1,
      }),
      gauge(
        'gastpass_site_synced_timestamp_seconds',
        'When a site was last synced with its controller',
        labelled(
          'site',
          syncs.map(([id, { syncedAtMs }]) => [id, (syncedAtMs ?? 0) / 1000]),
        ),
      ),
      gauge(
        'gastpass_site_sync_failing',
        'Whether the last sync of a site with its controller failed',
        labelled(
          'site',
          syncs.map(([id, sync]) => [id, isFailing(sync) ? 1 : 0]),
        ),
      ),
      gauge(
        'gastpass_vouchers_lost',
        'Unused vouchers that are missing on the controller and have no replacement',
        lost &&
          labelled(
            'site',
            syncs.map(([id]) => [id, lost.get(id)?.count ?? 0]),
          ),
      ),
      ...describeBacklog('outbox', backlogs?.outbox),
      ...describeBacklog('intents', backlogs?.intents),
      ...describeBacklog('deliveries', backlogs?.deliveries),
      ...describeBacklog('mails', backlogs?.mails),
      ...describeBacklog('revocations', backlogs?.revocations),
      ...describeBacklog('endedVouchers', backlogs?.endedVouchers),
      ...(backups ? await describeBackups(backups) : []),
      gauge(
        'gastpass_clock_doubted',
        'Whether the clock is doubted, so that nothing is deleted by age',
        clockDoubted,
      ),
      gauge(
        'gastpass_newest_record_ahead_seconds',
        'How far the newest record is dated ahead of the clock, which was then set back; 0 if it is not',
        aheadMs === undefined ? undefined : Math.max(0, aheadMs) / 1000,
      ),
      counter(
        'gastpass_backup_failures_total',
        'Scheduled backups that failed on this instance',
        backups && backupFailures,
      ),
      counter(
        'gastpass_storage_errors_total',
        'Writes that failed because of the disk under the database, by reason',
        labelled('reason', Object.entries(countStorageErrors())),
      ),
      counter(
        'gastpass_logins_total',
        'Attempts to log in to the web interface, by result',
        labelled('result', Object.entries(logins)),
      ),
      counter(
        'gastpass_session_checks_total',
        'Sessions checked at the identity provider, by result',
        labelled('result', Object.entries(checks)),
      ),
      counter(
        'gastpass_guest_pages_total',
        'Requests for pages of guests, by result',
        labelled('result', Object.entries(guestPages)),
      ),
      counter(
        'gastpass_guest_requests_total',
        'Requests of guests for vouchers, by result',
        labelled('result', Object.entries(guestRequests)),
      ),
      counter(
        'gastpass_screen_orders_total',
        'Forms sent at kiosks, by result',
        labelled('result', Object.entries(screenOrders)),
      ),
      counter(
        'gastpass_api_keys_refused_total',
        'Requests refused because of their API key, by reason',
        labelled('reason', Object.entries(keyRefusals)),
      ),
      counter(
        'gastpass_voucher_failures_total',
        'Orders that did not get their vouchers, by site and reason',
        voucherFailures,
      ),
      gauge(
        'gastpass_stock',
        'Vouchers that are made ahead and ready, by site and purpose',
        Object.fromEntries(
          stock.map(({ siteId, purpose, ready }) => [`site="${siteId}",purpose="${purpose}"`, ready]),
        ),
      ),
      counter(
        'gastpass_stock_failures_total',
        'Failed attempts to make vouchers ahead or to delete them, by site and reason',
        stockFailures,
      ),
      counter(
        'gastpass_webhook_tries_total',
        'Attempts to deliver a notification, by outcome',
        labelled('outcome', Object.entries(webhookAttempts)),
      ),
      counter(
        'gastpass_mail_tries_total',
        'Attempts to send an e-mail, by outcome',
        labelled('outcome', Object.entries(mailAttempts)),
      ),
      counter(
        'gastpass_print_tries_total',
        'Attempts to print a slip, by outcome',
        labelled('outcome', Object.entries(printAttempts)),
      ),
      gauge(
        'gastpass_printer_failing',
        'Whether a printer was not ready when it last reported or was last called',
        labelled(
          'printer',
          printers.map(({ id, status }) => [id, status && status.state !== 'ready' ? 1 : 0]),
        ),
      ),
      gauge(
        'gastpass_screens',
        'Screens by state: not paired yet, online, or silent',
        screens && labelled('state', countStates(screens, clock.nowMs())),
      ),
      gauge(
        'gastpass_webhook_failing',
        'Whether the last attempt to reach a webhook failed, or a 410 switched the webhook off',
        labelled(
          'webhook',
          webhooks.map(({ id, active, failures, offBecause }) => [
            id,
            (active && failures > 0) || offBecause !== null ? 1 : 0,
          ]),
        ),
      ),
      counter(
        'gastpass_intents_settled_total',
        'Open intents that were settled, by outcome',
        labelled('outcome', Object.entries(settled)),
      ),
      counter('process_cpu_seconds_total', 'Processor time used', (userCPUTime + systemCPUTime) / 1e6),
      gauge('process_resident_memory_bytes', 'Memory held by the process', rss),
      gauge('nodejs_heap_size_used_bytes', 'Memory in use by JavaScript', heapUsed),
      gauge(
        'nodejs_eventloop_lag_p99_seconds',
        'How late the event loop comes to its work, 99th percentile of the last full minute',
        loopLag.p99S(),
      ),
      gauge(
        'process_start_time_seconds',
        'When the process started',
        Math.round(performance.timeOrigin / 1000),
      ),
    ];
  }

  return {
    observeRequest: requests.observe,
    observeVoucherFailure: (siteId: SiteId, reason: string) =>
      countBy(voucherFailures, `site="${siteId}",reason="${reason}"`),
    observeStockFailure: (siteId: SiteId, reason: string) =>
      countBy(stockFailures, `site="${siteId}",reason="${reason}"`),
    observeSettled(tally: { recorded: number; forgotten: number }) {
      settled.recorded += tally.recorded;
      settled.forgotten += tally.forgotten;
    },
    observeLogin: (result: string) => countBy(logins, result),
    observeCheck: (result: CheckResult) => countBy(checks, result),
    observeGuestPage(result: GuestPageResult) {
      guestPages[result]++;
    },
    observeGuestRequest: (result: RequestResult) => countBy(guestRequests, result),
    observeScreenOrder: (result: ScreenOrderResult) => countBy(screenOrders, result),
    observeKeyRefusal: (reason: KeyRefusal['reason']) => countBy(keyRefusals, reason),
    observeBackupFailure() {
      backupFailures++;
    },
    observeAttempt(channel: string, outcome: 'delivered' | 'failed') {
      if (channel === 'webhook') webhookAttempts[outcome]++;
      if (channel === 'mail') mailAttempts[outcome]++;
      if (channel === 'printer') printAttempts[outcome]++;
    },
    async render() {
      const metrics = await collect();
      return {
        contentType: 'text/plain; version=0.0.4; charset=utf-8',
        text: metrics.join('') + requests.render(),
      };
    },
    stop: loopLag.stop,
  };
}

function countBy(values: Record<string, number>, labels: string): void {
  values[labels] = (values[labels] ?? 0) + 1;
}

/**
 * For each backlog: the name and the help text of the metric for its length, and the name in the metric for the age of
 * its oldest entry.
 */
const BACKLOGS = {
  outbox: ['outbox_waiting', 'Notifications that are not assigned to webhooks yet', 'outbox'],
  intents: ['intents_open', 'Orders to controllers whose outcome is not known yet', 'intents'],
  deliveries: ['deliveries_waiting', 'Notifications that are not delivered yet', 'deliveries'],
  mails: ['mails_waiting', 'E-mails that are not sent yet', 'mails'],
  revocations: ['bulk_revocations_running', 'Bulk revocations that have not ended', 'bulk_revocations'],
  endedVouchers: [
    'ended_vouchers_waiting',
    'Vouchers whose end has passed and that are not deleted on their controllers yet',
    'ended_vouchers',
  ],
} as const satisfies Record<keyof Backlogs, readonly [string, string, string]>;

function describeBacklog(name: keyof Backlogs, backlog: Backlog | undefined): string[] {
  const [length, help, subject] = BACKLOGS[name];
  return [
    gauge(`gastpass_${length}`, help, backlog?.count),
    gauge(
      `gastpass_${subject}_oldest_seconds`,
      'How long the oldest entry has waited',
      backlog && backlog.oldestMs / 1000,
    ),
  ];
}

/** Time and size are those of the newest backup whose file still exists unchanged, not of the newest record. */
async function describeBackups({
  list,
  stateOf,
  intervalS,
}: NonNullable<Deps['backups']>): Promise<string[]> {
  const records = await list().catch(() => undefined);
  const newest = records && newestBackup(records);
  const state = newest && (await stateOf(newest));
  let left = records ?? [];
  let there = newest;
  for (let seen = state; there && (seen === 'gone' || seen === 'changed'); ) {
    left = left.slice(0, left.indexOf(there));
    there = newestBackup(left);
    seen = there && (await stateOf(there));
  }
  return [
    gauge('gastpass_backup_interval_seconds', 'How often a backup is made', intervalS),
    gauge(
      'gastpass_backup_newest_timestamp_seconds',
      'When the newest scheduled backup that is still there was begun, 0 for never',
      records && (there?.startedAtMs ?? 0) / 1000,
    ),
    gauge(
      'gastpass_backup_newest_bytes',
      'The size of the newest scheduled backup that is still there',
      records && (there?.bytes ?? 0),
    ),
    gauge(
      'gastpass_backup_newest_intact',
      'Whether the file of the newest scheduled backup can be found and has its size, if this instance made it',
      state && Number(state === 'intact'),
    ),
  ];
}
