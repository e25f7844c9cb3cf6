// An installation as commands and the service work with it: its stores, its controllers and what is made of
// them. Opened beside a running service or by it.

import type { Config } from '../config/config.ts';
import { makeControllers } from '../controllers/controller-of.ts';
import type { AuditSearch } from '../domain/audit-log.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import { startDeadline } from '../domain/deadline.ts';
import type { IntentId } from '../domain/ids.ts';
import { makeIssueKey } from '../domain/keys/issue-key.ts';
import { makeWithLease } from '../domain/leases.ts';
import { makeSetUp } from '../domain/set-up.ts';
import type { VoucherSearch } from '../domain/vouchers/voucher-search.ts';
import { searchAudit } from '../storage/audit-queries.ts';
import { makeHouseStore, makeImageStore } from '../storage/house-store.ts';
import { makeMemoryRateCounter } from '../storage/memory-rate-counter.ts';
import { makeOrderByName } from '../storage/name-order-queries.ts';
import { openStorage } from '../storage/open-storage.ts';
import { makeProfileStore } from '../storage/profile-store.ts';
import { makeRetentionStore } from '../storage/retention-store.ts';
import { openOrNot } from '../storage/seal.ts';
import { makeHalfSignInStore, makeSecondFactorStore } from '../storage/second-factor-store.ts';
import { makeSharedRateCounter } from '../storage/shared-rate-counter.ts';
import { makeSlipStore } from '../storage/slip-store.ts';
import { selectStatusPerSite, selectVouchersPerHour } from '../storage/statistics-queries.ts';
import {
  makeControllerSessions,
  makeInstallationStore,
  makeKeyStore,
  makeLeaseStore,
  makeSiteStore,
  makeUserStore,
  makeWriteProbe,
} from '../storage/stores.ts';
import { makeSyncStore, makeUsageStore } from '../storage/usage-store.ts';
import { searchVouchers } from '../storage/voucher-search-queries.ts';
import { makeVoucherStore } from '../storage/voucher-store.ts';
import {
  makeBatchStore,
  makeFirstAdminStore,
  makeGuessStore,
  makeNoteSignIn,
  makeRevocationStore,
  makeSentForms,
  makeWebSessionStore,
} from '../storage/web-store.ts';
import { makeDeliveryStore, makeWebhookStore } from '../storage/webhook-store.ts';

export { meetController } from '../controllers/upstream/meet.ts';
export { moveInstallation } from '../storage/move/move-installation.ts';
export type Installation = Awaited<ReturnType<typeof openInstallation>>;

export async function openInstallation(config: Config, clock: Clock = systemClock) {
  const { database, seal } = await openStorage(config, clock);
  const controllers = makeControllers({
    dataDir: config.dataDir,
    clock,
    sessions: makeControllerSessions(database, seal),
  });
  const leases = makeLeaseStore(database);
  const keys = makeKeyStore(database);
  const sites = makeSiteStore(database, seal);
  const users = makeUserStore(database);
  const vouchers = makeVoucherStore(database);

  return {
    clock,
    timeout: (ms: number) => AbortSignal.timeout(ms),
    startDeadline,
    keys,
    sites,
    users,
    vouchers,
    house: makeHouseStore(database),
    images: makeImageStore(database),
    slips: makeSlipStore(database, seal),
    retention: makeRetentionStore(database),
    sentForms: makeSentForms(database),
    webSessions: makeWebSessionStore(database),
    guesses: makeGuessStore(database),
    secondFactors: makeSecondFactorStore(database, seal),
    halfSignIns: makeHalfSignInStore(database),
    noteSignIn: makeNoteSignIn(database),
    firstAdmin: makeFirstAdminStore(database),
    statistics: {
      perHour: (fromS: number) => selectVouchersPerHour(database.read, fromS),
      perSite: (fromS: number, nowS: number) => selectStatusPerSite(database.read, fromS, nowS),
    },
    batches: makeBatchStore(database),
    profiles: makeProfileStore(database),
    revocations: makeRevocationStore(database),
    finder: { search: (search: VoucherSearch) => searchVouchers(database.read, search) },
    orderByName: makeOrderByName(database),
    searchAudit: (search: AuditSearch) => searchAudit(database.read, search),
    usage: makeUsageStore(database),
    syncs: makeSyncStore(database),
    syncIntervalS: config.syncIntervalS,
    formSeal: { seal: seal.seal, open: (sealed: string) => openOrNot(seal, sealed) },
    webhooks: makeWebhookStore(database, seal),
    deliveries: makeDeliveryStore(database, seal),
    webhookTargets: config.webhookTargets,
    controllerOf: controllers.controllerOf,
    underWay: new Set<IntentId>(),
    rateCounter: config.database ? makeSharedRateCounter(database) : makeMemoryRateCounter(clock),
    leases,
    withLease: makeWithLease(leases),
    probeWrite: makeWriteProbe(database, clock),
    changeStamp: database.changeStamp,
    issueKey: makeIssueKey({ keys }),
    setUp: makeSetUp({ installation: makeInstallationStore(database, seal), clock }),
    async close() {
      await controllers.close();
      await database.close();
    },
  };
}
