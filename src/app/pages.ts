// Wires the pages of the web interface.

import { makeSaveSite } from '../domain/sites/save-site.ts';
import { makeSealedAccess } from '../domain/sites/sealed-access.ts';
import { makeBeginSession } from '../domain/users/begin-session.ts';
import { makeEnrol } from '../domain/users/enrol.ts';
import { makeMakeFirstAdmin } from '../domain/users/first-admin.ts';
import { makeFinishSignIn } from '../domain/users/half-sign-in.ts';
import { makePasswordCheck } from '../domain/users/password-check.ts';
import { makeCheckCode } from '../domain/users/second-factor.ts';
import { makeSignIn } from '../domain/users/sign-in.ts';
import { makeTryPassword } from '../domain/users/try-password.ts';
import type { User } from '../domain/users/user.ts';
import type { CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import { makeMakeBatch } from '../domain/vouchers/make-batch.ts';
import { makeRevokeVoucher } from '../domain/vouchers/revoke-voucher.ts';
import { answerFor } from '../http/answer-problem.ts';
import type { AppLog } from '../observe/log.ts';
import { makeAnswerVisit } from '../web/answer-visits.ts';
import { makeAccountPages } from '../web/pages/account.ts';
import { makeApiDocsPages } from '../web/pages/api-docs.ts';
import { makeAuditPages } from '../web/pages/audit.ts';
import { makeBatchPages } from '../web/pages/batch.ts';
import { makeDeliveryPages } from '../web/pages/deliveries.ts';
import { makeExportPages } from '../web/pages/export.ts';
import { makeKeyPages } from '../web/pages/keys.ts';
import { makeLogoPages } from '../web/pages/logo.ts';
import { makeNewVoucherPages } from '../web/pages/new-voucher.ts';
import { makeOverviewPages } from '../web/pages/overview.ts';
import { makePeoplePages } from '../web/pages/people.ts';
import { makePeopleSecondFactorPages } from '../web/pages/people-second-factor.ts';
import { makePrintPages } from '../web/pages/print.ts';
import { makeProfilePages } from '../web/pages/profiles.ts';
import { makeRevokePages } from '../web/pages/revoke.ts';
import { makeSecondFactorPages } from '../web/pages/second-factor.ts';
import { makeSettingsPages, showSettings } from '../web/pages/settings.ts';
import { makeSetupPages } from '../web/pages/setup.ts';
import { makeSignInPages } from '../web/pages/sign-in.ts';
import { makeSignInCodePages } from '../web/pages/sign-in-code.ts';
import { makeSitePages } from '../web/pages/sites.ts';
import { makeVoucherPages } from '../web/pages/vouchers.ts';
import { makeWebhookPages } from '../web/pages/webhooks.ts';
import { makeCourier } from './courier.ts';
import { type Installation, meetController } from './installation.ts';
import { makeUpkeep } from './upkeep.ts';

export interface Parts {
  createVouchers: CreateVouchers;
  basePath: string;
  timeZone: string;
  log: AppLog;
  /** Ends when the service stops. */
  stopping: AbortSignal;
  /** Work that goes on after its page was answered; the service waits for it when it stops. */
  underWay: Set<Promise<unknown>>;
}

export function makeRoutes(
  installation: Installation,
  { createVouchers, basePath, log, stopping, underWay }: Omit<Parts, 'timeZone'>,
) {
  const { users, sites, syncs } = installation;
  const tryPassword = makeTryPassword({
    ...installation,
    people: users,
    checkPassword: makePasswordCheck({ stopping }),
  });
  const checkCode = makeCheckCode(installation);
  const beginSession = makeBeginSession(installation);
  const needs = {
    ...installation,
    ...makeCourier(installation, { log }),
    tryPassword,
    checkCode,
    basePath,
    signIn: makeSignIn({ ...installation, tryPassword, beginSession }),
    finishSignIn: makeFinishSignIn({ ...installation, checkCode, beginSession }),
    enrol: makeEnrol(installation),
    makeBatch: makeMakeBatch({
      ...installation,
      createVouchers,
      stopping,
      describe: (problem) => answerFor(problem).message ?? problem.kind,
    }),
    makeFirstAdmin: makeMakeFirstAdmin(installation),
    revokeVoucher: makeRevokeVoucher(installation),
    listSyncs: syncs.list,
    saveSite: makeSaveSite(installation),
    sealedAccess: makeSealedAccess(installation.formSeal),
    syncSite: makeUpkeep(installation, { log }).syncSite,
    meetController,
    stopping,
    goOn(work: Promise<unknown>) {
      const ended = work
        .catch((error) => log.error({ err: error }, 'work that went on after its page broke off'))
        .finally(() => underWay.delete(ended));
      underWay.add(ended);
      return ended;
    },
    /** Administrators see all, operators what was given to them. */
    async sitesFor({ id, role }: User) {
      const active = await sites.listActive();
      if (role === 'admin') return active;
      const own = new Set(await users.siteIdsOf(id));
      return active.filter((site) => own.has(site.id));
    },
  };
  return [
    ...makeSetupPages(needs),
    ...makeSignInPages(needs),
    ...makeSignInCodePages(needs),
    ...makeNewVoucherPages(needs),
    ...makeBatchPages(needs),
    // Before the pages about a voucher, whose paths would fit too.
    ...makePrintPages(needs),
    ...makeVoucherPages(needs),
    ...makeRevokePages(needs),
    ...makeExportPages(needs),
    ...makeProfilePages(needs),
    ...makeOverviewPages(needs),
    ...makeAccountPages(needs),
    ...makeSecondFactorPages(needs),
    ...makeSitePages(needs),
    ...makeKeyPages(needs),
    ...makeApiDocsPages(needs),
    ...makePeoplePages(needs),
    ...makePeopleSecondFactorPages(needs),
    ...makeWebhookPages(needs),
    ...makeDeliveryPages(needs),
    ...makeAuditPages(needs),
    ...makeSettingsPages(needs),
    ...makeLogoPages({ ...needs, showSettings: (visit, logo) => showSettings(visit, { logo }) }),
  ];
}

export function makePages(installation: Installation, { timeZone, ...parts }: Parts) {
  const routes = makeRoutes(installation, parts);
  return makeAnswerVisit({ ...installation, routes, timeZone, log: parts.log });
}
