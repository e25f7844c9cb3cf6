// Opens an installation: its stores, its controllers and the use cases built from them. Used by the service and by
// commands, which may run while the service is running.

import type { Config } from '../config/config.ts';
import { makeControllers } from '../controllers/controller-of.ts';
import { KINDS } from '../controllers/kinds.ts';
import type { AuditSearch, NoteAudit } from '../domain/audit/audit-log.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { makeClockCheck } from '../domain/clock-check/clock-check.ts';
import { startDeadline } from '../domain/deadline.ts';
import { makeStorageErrors } from '../domain/health/storage-errors.ts';
import type { BatchId, IntentId, SiteId } from '../domain/ids.ts';
import { type IntroducedValue, KNOWN_SINCE, makeFindOutdated } from '../domain/instances/known-since.ts';
import { makeIssueKey } from '../domain/keys/issue-key.ts';
import { makeWithLease } from '../domain/leases/leases.ts';
import type { Log } from '../domain/log.ts';
import { makeOrderLimit } from '../domain/messages/order-limit.ts';
import { choosePublicUrl } from '../domain/settings/public-url.ts';
import { makeSetup } from '../domain/setup.ts';
import { makeRemoveSite } from '../domain/sites/remove-site.ts';
import { makeStockPoke } from '../domain/stock/stock-poke.ts';
import { makeFailedOrderNotes } from '../domain/vouchers/failed-orders.ts';
import { makeNextSearch } from '../domain/vouchers/next-search.ts';
import type { Day } from '../domain/vouchers/statistics.ts';
import type { VoucherSearch } from '../domain/vouchers/voucher-search.ts';
import { nextTraceparent } from '../observe/trace.ts';
import { makeAuditedVouchers } from '../storage/audit/audited-vouchers.ts';
import { insertAuditEntry, searchAudit } from '../storage/audit/queries.ts';
import { makeReadBacklogs } from '../storage/backlog-queries.ts';
import { makeBackupRecords } from '../storage/backup/backup-records.ts';
import { makeBackupFailureReports } from '../storage/backup/failure-reports.ts';
import { makeBatchStore } from '../storage/batches/store.ts';
import { makeGuestLinkStore } from '../storage/guest-pages/store.ts';
import { makeInstanceStore } from '../storage/instances/store.ts';
import { makeMemoryRateCounter } from '../storage/keys/memory-rate-counter.ts';
import { makeKeyStore } from '../storage/keys/store.ts';
import { makeLeaseStore } from '../storage/leases/store.ts';
import { makeAccountMails, makeCancelEndedLinks } from '../storage/mail/account-mails.ts';
import { makeMailRecipients } from '../storage/mail/mail-recipients.ts';
import { makeMailServerStore } from '../storage/mail/mail-server-store.ts';
import { makeMailStore } from '../storage/mail/mail-store.ts';
import { makeMailTextStore } from '../storage/mail/mail-text-store.ts';
import { makeOrderCounts } from '../storage/messages/order-limit.ts';
import { makeMessageQueue } from '../storage/messages/store.ts';
import { makeReadNewestDate } from '../storage/newest-date.ts';
import { openStorage } from '../storage/open-storage.ts';
import { makePrintJobStore } from '../storage/printers/job-store.ts';
import { printerRecipients } from '../storage/printers/printer-recipients.ts';
import { makePrinterStore } from '../storage/printers/store.ts';
import { makeProfileStore } from '../storage/profiles/store.ts';
import { tallySealedValues } from '../storage/rekey/rekey.ts';
import { makeGuestRequestStore } from '../storage/requests/store.ts';
import { type SchemaRule, sayMigrated } from '../storage/schema-version.ts';
import { makeRollingStore } from '../storage/screens/rolling-store.ts';
import { makeShownCodeStore } from '../storage/screens/shown-code-store.ts';
import { makeScreenStore } from '../storage/screens/store.ts';
import { bindNewValues } from '../storage/secret-check.ts';
import {
  makeLoginThrottleStore,
  makeOneTimeFormStore,
  makeRecordLogin,
  makeWebSessionStore,
} from '../storage/sessions/store.ts';
import { makeClockRecordStore } from '../storage/settings/clock-record-store.ts';
import { selectUse } from '../storage/settings/installation-queries.ts';
import {
  makeInstallationStore,
  makeTryWrite,
  makeWriteProbe,
} from '../storage/settings/installation-store.ts';
import { makeImageStore, makeSettingsStore } from '../storage/settings/store.ts';
import { makeUntrustedProxyStore } from '../storage/settings/untrusted-proxy-store.ts';
import { makeIdentityStore } from '../storage/single-sign-on/identity-store.ts';
import { makeExternalSessionStore, makeSingleSignOnStore } from '../storage/single-sign-on/store.ts';
import { makeControllerSessions } from '../storage/sites/controller-session-store.ts';
import { makeSlipStore } from '../storage/sites/slip-store.ts';
import { makeSiteStore } from '../storage/sites/store.ts';
import { makeReserveStore } from '../storage/stock/reserve-store.ts';
import { makeStockStore } from '../storage/stock/store.ts';
import { reportingStorageErrors, storageErrorReason } from '../storage/storage-errors.ts';
import { makePendingLoginStore, makeSecondFactorStore } from '../storage/users/second-factor-store.ts';
import { makeFirstAdminStore, makeInvitationStore, makeUserStore } from '../storage/users/store.ts';
import { makeBulkRevocationStore } from '../storage/vouchers/bulk-revocation-store.ts';
import { makeEndedVoucherStore } from '../storage/vouchers/ended-store.ts';
import { makeFailedOrderStore } from '../storage/vouchers/failed-order-store.ts';
import { makeLostVoucherStore } from '../storage/vouchers/lost-store.ts';
import { makeFillNameSortKeys } from '../storage/vouchers/name-sort-key-queries.ts';
import { makeReplacedVoucherStore } from '../storage/vouchers/replaced-voucher-store.ts';
import { makeRetentionStore } from '../storage/vouchers/retention-store.ts';
import { makeRevocationStore } from '../storage/vouchers/revocation-store.ts';
import { makeSearchIndex } from '../storage/vouchers/search-index-queries.ts';
import { countInBatches, findVoucherByCode, searchVouchers } from '../storage/vouchers/search-queries.ts';
import { selectStatesPerSite, selectVouchersPerDay } from '../storage/vouchers/statistics-queries.ts';
import { makeVoucherStore } from '../storage/vouchers/store.ts';
import { makeSyncStore, makeUsageStore } from '../storage/vouchers/usage-store.ts';
import { makeDeliveryStore, makeWebhookStore } from '../storage/webhooks/store.ts';
import { makeWebhookRecipients } from '../storage/webhooks/webhook-recipients.ts';

export { probeCertificate } from '../controllers/upstream/probe-certificate.ts';
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

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
) {
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
  const users = makeUserStore(database, accountMails);
  const vouchers = makeVoucherStore(database, seal);
  const clockRecords = makeClockRecordStore(database);
  const instances = makeInstanceStore(database);
  const failedOrders = makeFailedOrderStore(database);
  const settings = makeSettingsStore(database);
  const mails = makeMailStore(database, seal);
  const stockPoke = makeStockPoke();

  return {
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
    reserves: makeReserveStore(database),
    guestLinks: makeGuestLinkStore(database, seal),
    guestRequests: makeGuestRequestStore(database, seal, accountMails),
    retention: makeRetentionStore(database),
    clockRecords,
    ...makeClockCheck({ clockRecords, clock, monotonicMs: () => performance.now() }),
    /** This store is loaded only when a command needs it. */
    openPersonalData: async () =>
      (await import('../storage/privacy/personal-data-store.ts')).makePersonalDataStore(database, seal),
    oneTimeForms: makeOneTimeFormStore(database),
    webSessions: makeWebSessionStore(database),
    loginThrottle: makeLoginThrottleStore(database),
    secondFactors: makeSecondFactorStore(database, seal, accountMails),
    pendingLogins: makePendingLoginStore(database),
    recordLogin: makeRecordLogin(database),
    firstAdmin: makeFirstAdminStore(database),
    invitations: makeInvitationStore(database, accountMails),
    singleSignOn: makeSingleSignOnStore(database, { seal, fromEnvironment: config.oidc }),
    mailTexts: makeMailTextStore(database),
    mailServer: makeMailServerStore(database, {
      seal,
      fromEnvironment: config.mail,
      targets: config.webhookTargets,
    }),
    identities: makeIdentityStore(database),
    externalSessions: makeExternalSessionStore(database, seal),
    statistics: {
      perDay: (days: Day[]) => selectVouchersPerDay(database.read, days),
      perSite: (fromS: number, nowS: number) => selectStatesPerSite(database.read, fromS, nowS),
    },
    mails,
    orderLimit: makeOrderLimit({ counts: makeOrderCounts(database.read), clock }),
    printers: makePrinterStore(database, seal),
    printJobs: makePrintJobStore(database),
    stock: makeStockStore(database, seal, stockPoke.poke),
    stockPoke,
    screens: makeScreenStore(database, seal),
    rolling: makeRollingStore(database),
    shownCodes: makeShownCodeStore(database),
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
    syncs: makeSyncStore(database, config.syncIntervalS),
    failedOrders,
    ...makeFailedOrderNotes({ failedOrders, clock, log }),
    syncIntervalS: config.syncIntervalS,
    formSeal: seal.text,
    bindNewValues: () => bindNewValues(database, seal),
    tallySealedValues: () => tallySealedValues(database, seal),
    webhooks: makeWebhookStore(database, seal),
    deliveries: makeDeliveryStore(database, seal),
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
    cancelEndedLinks: makeCancelEndedLinks(database),
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
