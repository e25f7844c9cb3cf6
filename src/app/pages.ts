// Wires the pages of the web interface.

import { makeBatchCreator } from '../domain/batches/create-batch.ts';
import { makeBeginSession } from '../domain/sessions/begin-session.ts';
import { makeFinishSignIn } from '../domain/sessions/pending-login.ts';
import { makeSignIn } from '../domain/sessions/sign-in.ts';
import { makeVerifyPassword } from '../domain/sessions/verify-password.ts';
import { makeSaveSite } from '../domain/sites/save-site.ts';
import { makeSealedAccess } from '../domain/sites/sealed-access.ts';
import { makeSitesFor } from '../domain/sites/sites-for.ts';
import { makeEnrol } from '../domain/users/enrol.ts';
import { makeFirstAdminCreator } from '../domain/users/first-admin.ts';
import { makePasswordCheck } from '../domain/users/password-check.ts';
import { makeCheckCode } from '../domain/users/second-factor.ts';
import { makeSetPassword } from '../domain/users/set-password.ts';
import type { CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import { makeRevokeVoucher } from '../domain/vouchers/revoke-voucher.ts';
import type { SyncSite } from '../domain/vouchers/sync-site.ts';
import type { AppLog } from '../observe/log.ts';
import { makeServePage } from '../web/http/page-app.ts';
import { makeAccountPages } from '../web/pages/account/account.ts';
import { makeSecondFactorPages } from '../web/pages/account/second-factor.ts';
import { makeApiDocsPages } from '../web/pages/api-docs/api-docs.ts';
import { makeAuditPages } from '../web/pages/audit/audit.ts';
import { makeBatchPages } from '../web/pages/batches/batch.ts';
import { makeKeyPages } from '../web/pages/keys/keys.ts';
import { makeSignInPages } from '../web/pages/login/login.ts';
import { makeSignInCodePages } from '../web/pages/login/login-code.ts';
import { makeSetupPages } from '../web/pages/login/setup.ts';
import { makeOverviewPages } from '../web/pages/overview/overview.ts';
import { makeProfilePages } from '../web/pages/profiles/profiles.ts';
import { makeLogoPages } from '../web/pages/settings/logo.ts';
import { makeSettingsPages, showSettings } from '../web/pages/settings/settings.ts';
import { makeSitePages } from '../web/pages/sites/sites.ts';
import { makeUserSecondFactorPages } from '../web/pages/users/user-second-factor.ts';
import { makeUserPages } from '../web/pages/users/users.ts';
import { makeExportPages } from '../web/pages/vouchers/export.ts';
import { makeNewVoucherPages } from '../web/pages/vouchers/new-voucher.ts';
import { makePrintPages } from '../web/pages/vouchers/print.ts';
import { makeRevokePages } from '../web/pages/vouchers/revoke.ts';
import { makeVoucherPages } from '../web/pages/vouchers/vouchers.ts';
import { makeDeliveryPages } from '../web/pages/webhooks/deliveries.ts';
import { makeWebhookPages } from '../web/pages/webhooks/webhooks.ts';
import { type Installation, probeCertificate } from './installation.ts';
import { makeWebhookUseCases } from './webhook-use-cases.ts';

export interface Parts {
  createVouchers: CreateVouchers;
  syncSite: SyncSite;
  basePath: string;
  timeZone: string;
  isDraining: () => boolean;
  log: AppLog;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Work that continues after the response to its request. The service waits for this work when it stops. */
  backgroundWork: Set<Promise<unknown>>;
}

export function makeRoutes(
  installation: Installation,
  {
    createVouchers,
    syncSite,
    basePath,
    log,
    stopping,
    backgroundWork,
  }: Omit<Parts, 'timeZone' | 'isDraining'>,
) {
  const { syncs } = installation;
  const verifyPassword = makeVerifyPassword({
    ...installation,
    checkPassword: makePasswordCheck({ stopping }),
  });
  const checkCode = makeCheckCode(installation);
  const beginSession = makeBeginSession(installation);
  const deps = {
    ...installation,
    ...makeWebhookUseCases(installation, { log }),
    verifyPassword,
    checkCode,
    basePath,
    signIn: makeSignIn({ ...installation, verifyPassword, beginSession }),
    finishSignIn: makeFinishSignIn({ ...installation, checkCode, beginSession }),
    setPassword: makeSetPassword(installation),
    enrol: makeEnrol(installation),
    createBatch: makeBatchCreator({
      ...installation,
      createVouchers,
      stopping,
    }),
    makeFirstAdmin: makeFirstAdminCreator(installation),
    revokeVoucher: makeRevokeVoucher(installation),
    listSyncs: syncs.list,
    saveSite: makeSaveSite(installation),
    sealedAccess: makeSealedAccess(installation.formSeal),
    syncSite,
    probeCertificate,
    stopping,
    runInBackground(work: Promise<unknown>) {
      const ended = work
        .catch((error) => log.error({ err: error }, 'work that went on after its page broke off'))
        .finally(() => backgroundWork.delete(ended));
      backgroundWork.add(ended);
      return ended;
    },
    sitesFor: makeSitesFor(installation),
  };
  return [
    ...makeSetupPages(deps),
    ...makeSignInPages(deps),
    ...makeSignInCodePages(deps),
    ...makeNewVoucherPages(deps),
    ...makeBatchPages(deps),
    ...makePrintPages(deps),
    ...makeVoucherPages(deps),
    ...makeRevokePages(deps),
    ...makeExportPages(deps),
    ...makeProfilePages(deps),
    ...makeOverviewPages(deps),
    ...makeAccountPages(deps),
    ...makeSecondFactorPages(deps),
    ...makeSitePages(deps),
    ...makeKeyPages(deps),
    ...makeApiDocsPages(deps),
    ...makeUserPages(deps),
    ...makeUserSecondFactorPages(deps),
    ...makeWebhookPages(deps),
    ...makeDeliveryPages(deps),
    ...makeAuditPages(deps),
    ...makeSettingsPages(deps),
    ...makeLogoPages({ ...deps, showSettings: (context, logo) => showSettings(context, { logo }) }),
  ];
}

export function makePages(installation: Installation, parts: Parts) {
  const { timeZone, isDraining, log } = parts;
  const routes = makeRoutes(installation, parts);
  return makeServePage({ ...installation, routes, timeZone, isDraining, log });
}
