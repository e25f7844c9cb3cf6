// Opens an installation: its stores, its controllers and the use cases built from them. Used by the service and by
// commands, which may run while the service is running.

import { makeAccountMails } from '../features/mail/account-mail-store.ts';
import { makeBackupFailureReports } from '../features/mail/backup-failure-store.ts';
import { makeMailRecipients } from '../features/mail/mail-recipient-queries.ts';
import { makeMailWay, makeOrderMail } from '../features/mail/order-mail.ts';
import { makeOrderPrint, makePrintWay } from '../features/printers/order-print.ts';
import { printerRecipients } from '../features/printers/printer-recipient-queries.ts';
import { requestPurpose } from '../features/requests/purpose-queries.ts';
import { screenPurpose } from '../features/screens/place-queries.ts';
import { identityRecords } from '../features/single-sign-on/identity-store.ts';
import { insertIncident } from '../features/webhooks/incident-queries.ts';
import { makeWebhookRecipients } from '../features/webhooks/webhook-recipient-queries.ts';
import { openFeatures } from '../features.ts';
import type { AuditSearch, NoteAudit } from '../kernel/audit/audit-log.ts';
import { insertAuditEntry, searchAudit } from '../kernel/audit/audit-queries.ts';
import { makeAuditedVouchers } from '../kernel/audit/audited-voucher-store.ts';
import { makeBatchStore } from '../kernel/batches/batch-store.ts';
import { makeClockCheck } from '../kernel/clock-check/clock-check.ts';
import { makeClockRecordStore } from '../kernel/clock-check/clock-record-store.ts';
import { makeReadNewestDate } from '../kernel/clock-check/newest-date-queries.ts';
import { makeControllers } from '../kernel/controllers/controller-of.ts';
import { KINDS } from '../kernel/controllers/kinds.ts';
import type { BatchId, IntentId, SiteId } from '../kernel/ids.ts';
import type { Installation } from '../kernel/installation.ts';
import { makeInstanceStore } from '../kernel/instances/instance-store.ts';
import { type IntroducedValue, KNOWN_SINCE, makeFindOutdated } from '../kernel/instances/known-since.ts';
import { makeIssueKey } from '../kernel/keys/issue-key.ts';
import { makeKeyStore } from '../kernel/keys/key-store.ts';
import { makeMemoryRateCounter } from '../kernel/keys/memory-rate-counter.ts';
import { makeMessageQueue } from '../kernel/messages/message-store.ts';
import { makeOrderCounts } from '../kernel/messages/order-count-queries.ts';
import { makeOrderLimit } from '../kernel/messages/order-limit.ts';
import { makeProfileStore } from '../kernel/profiles/profile-store.ts';
import { tallySealedValues } from '../kernel/rekey/rekey-store.ts';
import { makeExternalSessionStore } from '../kernel/sessions/external-session-store.ts';
import {
  makeLoginThrottleStore,
  makeOneTimeFormStore,
  makeRecordLogin,
  makeWebSessionStore,
} from '../kernel/sessions/session-store.ts';
import {
  makeInstallationStore,
  makeTryWrite,
  makeWriteProbe,
} from '../kernel/settings/installation-store.ts';
import { choosePublicUrl } from '../kernel/settings/public-url.ts';
import { makeImageStore, makeSettingsStore } from '../kernel/settings/settings-store.ts';
import { makeSetup } from '../kernel/settings/setup.ts';
import { makeUntrustedProxyStore } from '../kernel/settings/untrusted-proxy-store.ts';
import { makeControllerSessions } from '../kernel/sites/controller-session-store.ts';
import { makeRemoveSite } from '../kernel/sites/remove-site.ts';
import { makeSiteStore } from '../kernel/sites/site-store.ts';
import { makeSlipStore } from '../kernel/slips/slip-store.ts';
import { makeStockRecords } from '../kernel/stock/stock-voucher-store.ts';
import { makePendingLoginStore, makeSecondFactorStore } from '../kernel/users/second-factor-store.ts';
import { makeFirstAdminStore, makeInvitationStore, makeUserStore } from '../kernel/users/user-store.ts';
import { makeFailedOrderNotes } from '../kernel/vouchers/failed-orders.ts';
import { makeNextSearch } from '../kernel/vouchers/next-search.ts';
import type { Day } from '../kernel/vouchers/statistics.ts';
import { makeBulkRevocationStore } from '../kernel/vouchers/storage/bulk-revocation-store.ts';
import { makeEndedVoucherStore } from '../kernel/vouchers/storage/ended-store.ts';
import { makeFailedOrderStore } from '../kernel/vouchers/storage/failed-order-store.ts';
import { makeLostVoucherStore } from '../kernel/vouchers/storage/lost-store.ts';
import { makeFillNameSortKeys } from '../kernel/vouchers/storage/name-sort-key-queries.ts';
import { makeReplacedVoucherStore } from '../kernel/vouchers/storage/replaced-voucher-store.ts';
import { makeRetentionStore } from '../kernel/vouchers/storage/retention-store.ts';
import { makeRevocationStore } from '../kernel/vouchers/storage/revocation-store.ts';
import { makeSearchIndex } from '../kernel/vouchers/storage/search-index-queries.ts';
import {
  countInBatches,
  findVoucherByCode,
  searchVouchers,
} from '../kernel/vouchers/storage/search-queries.ts';
import { selectStatesPerSite, selectVouchersPerDay } from '../kernel/vouchers/storage/statistics-queries.ts';
import { makeSyncStore, makeUsageStore } from '../kernel/vouchers/storage/usage-store.ts';
import { makeVoucherStore } from '../kernel/vouchers/storage/voucher-store.ts';
import type { VoucherSearch } from '../kernel/vouchers/voucher-search.ts';
import { makeBackupRecords } from '../platform/backup/backup-records.ts';
import type { Config } from '../platform/config/config.ts';
import { makeReadBacklogs } from '../platform/database/backlog-queries.ts';
import { selectUse } from '../platform/database/installation-queries.ts';
import { openStorage } from '../platform/database/open-storage.ts';
import { type SchemaRule, sayMigrated } from '../platform/database/schema-version.ts';
import { reportingStorageErrors, storageErrorReason } from '../platform/database/storage-errors.ts';
import { makeStorageErrors } from '../platform/database/tally-storage-errors.ts';
import { makeLeaseStore } from '../platform/leases/lease-store.ts';
import { makeWithLease } from '../platform/leases/leases.ts';
import type { Log } from '../platform/log/log.ts';
import { nextTraceparent } from '../platform/log/trace.ts';
import { bindNewValues } from '../platform/secrets/secret-check.ts';
import { type Clock, systemClock } from '../platform/time/clock.ts';
import { startDeadline } from '../platform/time/deadline.ts';
import { loadTables } from './tables.ts';

const KINDS_SINCE = KINDS.map(({ name, since }) => ({ what: 'controller' as const, value: name, since }));

interface OpenOptions {
  schema?: SchemaRule;
  /** The log for migrations and errors of the disk. */
  log?: Log;
  knownSince?: readonly IntroducedValue[] | undefined;
}

export async function openInstallation(
  config: Config,
  clock: Clock = systemClock,
  { schema = 'migrate', log, knownSince = KNOWN_SINCE }: OpenOptions = {},
): Promise<Installation> {
  const storageErrors = makeStorageErrors({ clock, log });
  const onCheckpointError = (error: unknown) => {
    const reason = storageErrorReason(error);
    if (reason) storageErrors.note(reason, error);
    else log?.warn({ err: error }, 'the log of the database was not copied into its file');
  };
  const { database: opened, seal, migrated } = await openStorage(config, clock, schema, onCheckpointError);
  if (migrated) log?.info({ ...migrated }, sayMigrated(migrated));
  const database = reportingStorageErrors(opened, storageErrors);
  const controllers = makeControllers({
    dataDir: config.dataDir,
    clock,
    sessions: makeControllerSessions(database, seal),
    nextTraceparent,
  });
  const accountMails = makeAccountMails(seal, config.mail);
  const leases = makeLeaseStore(database);
  const keys = makeKeyStore(database);
  const sites = makeSiteStore(database, seal, KINDS);
  const users = makeUserStore(database, accountMails, [identityRecords]);
  const vouchers = makeVoucherStore(database, seal, [requestPurpose, screenPurpose]);
  const clockRecords = makeClockRecordStore(database);
  const instances = makeInstanceStore(database);
  const failedOrders = makeFailedOrderStore(database);
  const settings = makeSettingsStore(database);
  const orderLimit = makeOrderLimit({ counts: makeOrderCounts(database.read), clock });
  const features = await openFeatures({ database, seal, config });
  const { mailServer, printers } = features;

  return {
    ...features,
    clock,
    timeout: (ms: number) => AbortSignal.timeout(ms),
    startDeadline,
    keys,
    sites,
    users,
    vouchers,
    settings,
    readPublicUrl: async () => choosePublicUrl(config.publicUrl, await settings.read()),
    images: makeImageStore(database),
    untrustedProxies: makeUntrustedProxyStore(database),
    trustedProxies: config.trustedProxies,
    slips: makeSlipStore(database, seal),
    retention: makeRetentionStore(database),
    clockRecords,
    ...makeClockCheck({ clockRecords, clock, monotonicMs: () => performance.now() }),
    /** This store is loaded only when a command needs it. */
    openPersonalData: async () =>
      (await import('../kernel/privacy/personal-data-store.ts')).makePersonalDataStore(
        database,
        seal,
        await loadTables(),
      ),
    oneTimeForms: makeOneTimeFormStore(database),
    webSessions: makeWebSessionStore(database),
    externalSessions: makeExternalSessionStore(database, seal),
    loginThrottle: makeLoginThrottleStore(database),
    secondFactors: makeSecondFactorStore(database, seal, accountMails),
    pendingLogins: makePendingLoginStore(database),
    recordLogin: makeRecordLogin(database),
    firstAdmin: makeFirstAdminStore(database),
    invitations: makeInvitationStore(database, accountMails),
    statistics: {
      perDay: (days: Day[]) => selectVouchersPerDay(database.read, days),
      perSite: (fromS: number, nowS: number) => selectStatesPerSite(database.read, fromS, nowS),
    },
    orderLimit,
    handOverWays: [
      makeMailWay(makeOrderMail({ mailServer, orderLimit, clock })),
      makePrintWay(makeOrderPrint({ printers, clock }), orderLimit),
    ],
    stockRecords: makeStockRecords(database),
    batches: makeBatchStore(database, seal),
    lostVouchers: makeLostVoucherStore(database),
    endedVouchers: makeEndedVoucherStore(database),
    profiles: makeProfileStore(database),
    revocations: makeRevocationStore(database),
    replacedVouchers: makeReplacedVoucherStore(database),
    bulkRevocations: makeBulkRevocationStore(database),
    finder: {
      search: (search: VoucherSearch) => searchVouchers(database, search),
      findByCode: (siteId: SiteId, code: string) => findVoucherByCode(database.read, siteId, code),
      countInBatches: (search: VoucherSearch, ids: BatchId[]) => countInBatches(database.read, search, ids),
    },
    searchIndex: makeSearchIndex(database),
    fillNameSortKeys: makeFillNameSortKeys(database),
    auditedVouchers: makeAuditedVouchers(database),
    searchAudit: (search: AuditSearch) => searchAudit(database.read, search),
    noteAudit: ((entry) =>
      database.write((transaction) => insertAuditEntry(transaction, entry))) satisfies NoteAudit,
    usage: makeUsageStore(database),
    syncs: makeSyncStore(database, config.syncIntervalS, insertIncident),
    failedOrders,
    ...makeFailedOrderNotes({ failedOrders, clock, log }),
    syncIntervalS: config.syncIntervalS,
    formSeal: seal.text,
    bindNewValues: () => bindNewValues(database, seal),
    tallySealedValues: async () => tallySealedValues(database, seal, await loadTables()),
    loadTables,
    messages: makeMessageQueue(database, seal, {
      webhook: makeWebhookRecipients(seal),
      mail: makeMailRecipients(database),
      printer: printerRecipients,
    }),
    webhookTargets: config.webhookTargets,
    proxyAuthHeader: config.proxyAuthHeader,
    controllerOf: controllers.controllerOf,
    removeSite: makeRemoveSite({ sites, forgetSite: controllers.forgetSite }),
    activeIntents: new Set<IntentId>(),
    leftIntents: new Set<IntentId>(),
    nextSearch: makeNextSearch(() => performance.now()),
    rateCounter: makeMemoryRateCounter(clock),
    instances,
    findOutdated: makeFindOutdated({ instances, knownSince: [...knownSince, ...KINDS_SINCE] }),
    leases,
    withLease: makeWithLease(leases),
    backups: makeBackupRecords(database),
    backupFailureReports: makeBackupFailureReports(database, accountMails),
    readBacklogs: makeReadBacklogs(database),
    readNewestDate: makeReadNewestDate(database),
    probeWrite: makeWriteProbe(database, clock),
    tryWrite: makeTryWrite(database),
    needIntact: database.needIntact,
    storageErrors,
    changeStamp: database.changeStamp,
    noteArrival: database.noteArrival,
    readUse: () => selectUse(database.read),
    whenLost: database.whenLost,
    issueKey: makeIssueKey({ keys }),
    setup: makeSetup({ installation: makeInstallationStore(database, seal), clock }),
    async close() {
      await controllers.close();
      await database.close();
    },
  };
}
