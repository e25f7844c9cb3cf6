// Wires the handlers of everything that is not a page: the two APIs, health, metrics and security.txt.

import type { Config } from '../config/config.ts';
import { VERSION } from '../config/version.ts';
import { KINDS } from '../controllers/kinds.ts';
import type { ResumeBatch } from '../domain/batches/resume-batch.ts';
import { makeFloodGuard } from '../domain/keys/flood-guard.ts';
import { type LastUsed, makeVerifyKey } from '../domain/keys/verify-key.ts';
import { MAX_WRONG } from '../domain/network-floods.ts';
import type { CreateVoucher } from '../domain/vouchers/create-vouchers.ts';
import type { PlaceOrder } from '../domain/vouchers/place-order.ts';
import { makeRevokeById } from '../domain/vouchers/revoke-by-id.ts';
import { type Area, type Handler, problemResponse } from '../http/handler.ts';
import { openapiDocument } from '../http/openapi-document.ts';
import { makeOpenapiHandler } from '../http/openapi-handler.ts';
import { makeOperations } from '../http/operations.ts';
import { makePrintingArea, type PrintingHandlers } from '../http/printing/area.ts';
import { makeRollingArea } from '../http/rolling/area.ts';
import { makeSecurityTxt } from '../http/security-txt.ts';
import { makeSitesHandler } from '../http/sites-handler.ts';
import { makeV1 } from '../http/v1/api.ts';
import { problemResponse as presentProblemV1 } from '../http/v1/problems.ts';
import { makeVoucherListCache } from '../http/voucher-list-cache.ts';
import { makeVouchersHandler } from '../http/vouchers-handler.ts';
import { makeWithApiKey } from '../http/with-api-key.ts';
import type { Metrics } from '../observe/metrics.ts';
import { makeFindReadinessFailures } from '../observe/readiness.ts';
import { storageErrorReason } from '../storage/storage-errors.ts';
import type { BackgroundWork } from './background-work.ts';
import type { Installation } from './installation.ts';
import type { PrintingParts } from './printing.ts';
import { makeRevocationUseCases } from './revocation-use-cases.ts';
import type { RollingParts } from './rolling.ts';

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
  const { observeKeyRefusal } = metrics;
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
      const { makePrintingHandlers } = await import('./printing.ts');
      return makePrintingHandlers(installation, parts);
    }),
  );
  const rolling = makeRollingArea(
    once(async (): Promise<Handler> => {
      const { makeRolling } = await import('./rolling.ts');
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
