// Wires the handlers of everything that is not a page: the two APIs, health, metrics and security.txt.

import { makeV1 } from '../features/api-v1/api.ts';
import { problemResponse as presentProblemV1 } from '../features/api-v1/problems.ts';
import { makePrintingArea, type PrintingHandlers } from '../features/printers/polling/area.ts';
import type { PrintingParts } from '../features/printers/polling-use-cases.ts';
import { makeRollingArea } from '../features/screens/rolling/area.ts';
import type { RollingParts } from '../features/screens/rolling/make-rolling.ts';
import type { ResumeBatch } from '../kernel/batches/resume-batch.ts';
import { openapiDocument } from '../kernel/contract/openapi-document.ts';
import { makeOpenapiHandler } from '../kernel/contract/openapi-handler.ts';
import { problemResponse } from '../kernel/contract/problem-response.ts';
import { makeSitesHandler } from '../kernel/contract/sites-handler.ts';
import { makeVoucherListCache } from '../kernel/contract/voucher-list-cache.ts';
import { makeVouchersHandler } from '../kernel/contract/vouchers-handler.ts';
import { makeWithApiKey } from '../kernel/contract/with-api-key.ts';
import { KINDS } from '../kernel/controllers/kinds.ts';
import { KEY_REFUSALS } from '../kernel/health/kernel-metrics.ts';
import { makeOperations } from '../kernel/health/operations-handler.ts';
import type { Installation } from '../kernel/installation.ts';
import { makeFloodGuard } from '../kernel/keys/flood-guard.ts';
import { type KeyRefusal, type LastUsed, makeVerifyKey } from '../kernel/keys/verify-key.ts';
import { makeSecurityTxt } from '../kernel/settings/security-txt-handler.ts';
import type { CreateVoucher } from '../kernel/vouchers/create-vouchers.ts';
import type { PlaceOrder } from '../kernel/vouchers/place-order.ts';
import { makeRevocationUseCases } from '../kernel/vouchers/revocation-use-cases.ts';
import { makeRevokeById } from '../kernel/vouchers/revoke-by-id.ts';
import type { Config } from '../platform/config/config.ts';
import { VERSION } from '../platform/config/version.ts';
import { storageErrorReason } from '../platform/database/storage-errors.ts';
import type { Area, Handler } from '../platform/http/handler.ts';
import type { BackgroundWork } from '../platform/jobs/background-work.ts';
import type { Metrics } from '../platform/metrics/metrics.ts';
import { makeFindReadinessFailures } from '../platform/metrics/readiness.ts';
import { MAX_WRONG } from '../platform/network/network-floods.ts';

interface Apis {
  /** Keyed by path. */
  handlers: Record<string, Handler>;
  areas: Area[];
}

interface Parts extends PrintingParts, RollingParts {
  config: Config;
  createVoucher: CreateVoucher;
  placeOrder: PlaceOrder;
  resumeBatch: ResumeBatch;
  backgroundWork: BackgroundWork;
  lastUsed: LastUsed;
  metrics: Metrics;
  isSetupDone: () => boolean;
  isLeaving: () => boolean;
}

export function makeApis(installation: Installation, parts: Parts): Apis {
  const { clock, keys, sites, vouchers, revocations, rateCounter, changeStamp } = installation;
  const { config, createVoucher, lastUsed, metrics, log } = parts;
  const { basePath, securityContact: contact, metricsToken } = config;
  const floodGuard = makeFloodGuard({
    keys,
    clock,
    onFlood: (network) =>
      log.warn(
        { network, wrongKeys: MAX_WRONG },
        'flood of wrong API keys: refused without a look-up until the minute is over',
      ),
  });
  const verifyKey = makeVerifyKey({ keys, floodGuard, lastUsed, clock });
  const observeKeyRefusal = (reason: KeyRefusal['reason']) => metrics.count(KEY_REFUSALS, { reason });
  const keyDeps = { verifyKey, rateCounter, lastUsed, observeKeyRefusal, changeStamp, clock };
  const withApiKey = makeWithApiKey({ ...keyDeps, presentProblem: problemResponse });
  const listResponse = makeVoucherListCache({ vouchers, clock });
  const { revokeVoucher } = makeRevocationUseCases(installation);
  const v1 = makeV1({
    sites,
    profiles: installation.profiles,
    printers: installation.printers,
    kinds: KINDS,
    finder: installation.finder,
    batches: installation.batches,
    replacedVouchers: installation.replacedVouchers,
    vouchers,
    placeOrder: parts.placeOrder,
    resumeBatch: parts.resumeBatch,
    runInBackground: parts.backgroundWork.run,
    revokeById: makeRevokeById({ sites, revocations, revokeVoucher, clock, log }),
    clock,
    timeZone: config.timeZone,
    basePath,
    withApiKey: makeWithApiKey({ ...keyDeps, presentProblem: presentProblemV1 }),
  });
  const handlers = {
    [`${basePath}/sites.php`]: withApiKey(makeSitesHandler(sites)),
    [`${basePath}/vouchers.php`]: withApiKey(makeVouchersHandler({ listResponse, createVoucher, log })),
    [`${basePath}/openapi.php`]: makeOpenapiHandler(basePath, openapiDocument),
    ...makeSecurityTxt({ contact, readPublicUrl: installation.readPublicUrl, clock }),
    ...makeOperations({
      version: VERSION,
      findReadinessFailures: makeFindReadinessFailures({
        isSetupDone: parts.isSetupDone,
        isDraining: parts.isLeaving,
        probeWrite: installation.probeWrite,
        tryWrite: installation.tryWrite,
        recentStorageError: installation.storageErrors.recent,
        reasonOf: storageErrorReason,
      }),
      metricsToken,
      renderMetrics: metrics.render,
    }),
  };
  const printing = makePrintingArea(
    once(async (): Promise<PrintingHandlers> => {
      const { makePrintingHandlers } = await import('../features/printers/polling-use-cases.ts');
      return makePrintingHandlers(installation, parts);
    }),
  );
  const rolling = makeRollingArea(
    once(async (): Promise<Handler> => {
      const { makeRolling } = await import('../features/screens/rolling/make-rolling.ts');
      return makeRolling(installation, parts);
    }),
  );
  return { handlers, areas: [v1, printing, rolling] };
}

/** Loads with the first request that needs it. */
function once<Loaded>(load: () => Promise<Loaded>): () => Promise<Loaded> {
  let loading: Promise<Loaded> | undefined;
  return () => {
    loading ??= load().catch((error) => {
      // For example, too many files are open. The next request tries again.
      loading = undefined;
      throw error;
    });
    return loading;
  };
}
