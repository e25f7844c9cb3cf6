// Collects everything that the pages need, and serves the pages. Loaded by `load-pages.ts`.

import { setTimeout as sleep } from 'node:timers/promises';
import { findSettingsPlace } from '../config/settings-place.ts';
import { KINDS } from '../controllers/kinds.ts';
import { makeBatchCreator, makeReplacementCreator } from '../domain/batches/create-batch.ts';
import { makeCountConcerns, makeFindConcerns } from '../domain/concerns/find-concerns.ts';
import {
  type GuestPageResult,
  MAX_OPENED,
  makeOpenGuestPage,
} from '../domain/guest-pages/open-guest-page.ts';
import type { ExamineHealth } from '../domain/health/finding.ts';
import type { Log } from '../domain/log.ts';
import type { RefuseMails } from '../domain/mail/order-mail.ts';
import { MAX_WRONG, makeNetworkFloods } from '../domain/network-floods.ts';
import type { ObserveRequest } from '../domain/requests/ask.ts';
import type { ScreenOrderResult } from '../domain/screens/order-at-screen.ts';
import { MAX_PAIRINGS, makePairScreen } from '../domain/screens/pair-screen.ts';
import type { LookAtRollingCode } from '../domain/screens/rolling-code.ts';
import { makeBeginSession } from '../domain/sessions/begin-session.ts';
import { makeCheckCode } from '../domain/sessions/check-code.ts';
import { makeConfirmPassword, makeHasPassword } from '../domain/sessions/confirm-password.ts';
import { makeKnownDevices } from '../domain/sessions/known-device.ts';
import { makeLogin, makeLoginAfterPassword } from '../domain/sessions/login.ts';
import { makeFinishLogin } from '../domain/sessions/pending-login.ts';
import { makeProxyLogin } from '../domain/sessions/proxy-login.ts';
import { makeRenewSession } from '../domain/sessions/renew-session.ts';
import { makeVerifyPassword } from '../domain/sessions/verify-password.ts';
import type { CheckResult } from '../domain/sessions/web-session.ts';
import { makeFindFirstSteps } from '../domain/settings/first-steps.ts';
import { adviseOnProxies } from '../domain/settings/untrusted-proxies.ts';
import { makeCheckSession } from '../domain/single-sign-on/check-session.ts';
import { makeLogout } from '../domain/single-sign-on/logout.ts';
import { makeProviderLogin } from '../domain/single-sign-on/provider-login.ts';
import { makeFindCertificateHistory } from '../domain/sites/certificate-history.ts';
import { makeSaveSite } from '../domain/sites/save-site.ts';
import { makeSealedConnection } from '../domain/sites/sealed-connection.ts';
import { makeHasSites, makeSitesFor } from '../domain/sites/sites-for.ts';
import type { HandOutReserve, HandOutSeveral } from '../domain/stock/hand-out-reserve.ts';
import { makeSetReserve } from '../domain/stock/set-reserve.ts';
import { makeComparePassword } from '../domain/users/compare-password.ts';
import { makeEnrol } from '../domain/users/enrol.ts';
import { makeFirstAdminCreator } from '../domain/users/first-admin.ts';
import { makeAcceptInvitation, makeInvite, makeRequestReset } from '../domain/users/invitations.ts';
import { makePasswordCheck } from '../domain/users/password-check.ts';
import { makeSetPassword } from '../domain/users/set-password.ts';
import type { CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import { makeDeviceDisconnector } from '../domain/vouchers/disconnect-devices.ts';
import type { SyncSite } from '../domain/vouchers/sync-site.ts';
import { makeIdentityProvider } from '../oidc/identity-provider.ts';
import { compareBcrypt } from '../passwords/compare-bcrypt.ts';
import { makePdfPrinter } from '../print/pdf-printer.ts';
import type { App } from '../web/app.ts';
import { makeServePage, type ServePage } from '../web/http/page-app.ts';
import { serveGuestPage } from '../web/pages/guest/guest-page.ts';
import { showSessionEnded } from '../web/pages/login/enter.ts';
import { serveRequestPage } from '../web/pages/request/request-page.ts';
import { ROUTES } from '../web/pages/routes.ts';
import { serveUnpaired } from '../web/pages/screen/pairing.ts';
import { screenProblem } from '../web/pages/screen/screen-problem.ts';
import type { BackgroundWork } from './background-work.ts';
import { makeFillDeps, makeResumeUseCase } from './batch-use-cases.ts';
import { type Installation, probeCertificate } from './installation.ts';
import { makeMailSamples } from './mail-samples.ts';
import { openMailTests } from './mail-tests.ts';
import { makeMailUseCases } from './mail-use-cases.ts';
import { makePrintUseCases } from './print-use-cases.ts';
import { makePrinterUseCases } from './printer-use-cases.ts';
import { makeRequestUseCases } from './request-use-cases.ts';
import { makeRevocationUseCases } from './revocation-use-cases.ts';
import { makeScreenOrders } from './screen-orders.ts';
import { makeScreenUseCases } from './screen-use-cases.ts';
import { makeWebhookUseCases } from './webhook-use-cases.ts';

/** Requests for password links that one network may send in a minute. */
const MAX_RESET_REQUESTS = 10;
const MAX_RESET_PAUSE_MS = 500;

export interface Parts {
  createVouchers: CreateVouchers;
  handOutReserve: HandOutReserve;
  handOutSeveral: HandOutSeveral;
  refuseMails: RefuseMails;
  lookAtRollingCode: LookAtRollingCode;
  syncSite: SyncSite;
  basePath: string;
  environmentPublicUrl: string | undefined;
  timeZone: string;
  isDraining: () => boolean;
  observeLogin: (result: string) => void;
  observeCheck: (result: CheckResult) => void;
  observeGuestPage: (result: GuestPageResult) => void;
  observeGuestRequest: ObserveRequest;
  observeScreenOrder: (result: ScreenOrderResult) => void;
  examineHealth: ExamineHealth;
  log: Log;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  backgroundWork: BackgroundWork;
}

export function makePages(installation: Installation, parts: Parts): ServePage {
  return makeServePage(makeApp(installation, parts), {
    routes: ROUTES,
    serveGuestPage,
    serveRequestPage,
    showSessionEnded,
    serveUnpaired,
    screenProblem,
  });
}

function makeApp(installation: Installation, parts: Parts): App {
  const { clock, users, webSessions, externalSessions, loginThrottle, recordLogin } = installation;
  const { secondFactors, pendingLogins, singleSignOn, identities, oneTimeForms } = installation;
  const { batches, sites, controllerOf, noteAudit, timeout } = installation;
  const { guestLinks, finder } = installation;
  const { createVouchers, handOutSeveral, observeCheck, log, stopping, backgroundWork } = parts;
  const batchDeps = makeFillDeps(installation, parts);
  const textSeal = installation.formSeal;
  const identityProvider = makeIdentityProvider({ clock });
  const knownDevices = makeKnownDevices({ textSeal, users, clock });
  const beginSession = makeBeginSession({
    webSessions,
    externalSessions,
    loginThrottle,
    knownDevices,
    recordLogin,
    textSeal,
    clock,
  });
  const comparePassword = makeComparePassword({ users, compareBcrypt });
  const checkPassword = makePasswordCheck({ stopping, compare: comparePassword });
  const failedAction = 'user.sign-in-failed';
  const verifyPassword = makeVerifyPassword({ users, loginThrottle, checkPassword, failedAction, clock });
  const loginAfterPassword = makeLoginAfterPassword({ secondFactors, pendingLogins, beginSession, clock });
  const checkCode = makeCheckCode({ secondFactors, loginThrottle, knownDevices, clock });
  const findConcerns = makeFindConcerns(installation);
  const floods = makeNetworkFloods({
    clock,
    onFlood: (network) =>
      log.warn(
        { network, wrongLinks: MAX_WRONG },
        'flood of wrong guest links: refused without a look-up until the minute is over',
      ),
  });
  const openings = makeNetworkFloods({
    clock,
    max: MAX_OPENED,
    admitsCrowd: true,
    onFlood: (network) =>
      log.warn(
        { network, openedLinks: MAX_OPENED },
        'guest links opened too often: refused without a look-up until the minute is over',
      ),
  });
  const pairings = makeNetworkFloods({
    clock,
    max: MAX_PAIRINGS,
    onFlood: (network) =>
      log.warn(
        { network, pairingCodes: MAX_PAIRINGS },
        'too many pairing codes: wrong ones are refused without a look-up until the minute is over',
      ),
  });
  const { revokeVoucher, runBulkRevocation } = makeRevocationUseCases(installation);
  const { addWebhook, changeWebhook, rotateSecret, testWebhook } = makeWebhookUseCases(installation);

  return {
    vouchers: installation.vouchers,
    finder,
    batches,
    createBatch: makeBatchCreator(batchDeps),
    lostVouchers: installation.lostVouchers,
    createReplacement: makeReplacementCreator(batchDeps),
    resumeBatch: makeResumeUseCase(installation, parts),
    profiles: installation.profiles,
    findOutdated: installation.findOutdated,
    revokeVoucher,
    devices: makeDeviceDisconnector({ sites, controllerOf, noteAudit, timeout, log }),
    runBulkRevocation,
    bulkRevocations: installation.bulkRevocations,
    statistics: installation.statistics,
    slips: installation.slips,
    printPdf: makePdfPrinter({ stopping }),
    guestLinks,
    openGuestPage: makeOpenGuestPage({ guestLinks, sites, finder, floods, openings, clock }),
    observeGuestPage: parts.observeGuestPage,

    mailServer: installation.mailServer,
    mails: installation.mails,
    mailTexts: installation.mailTexts,
    ...makeMailUseCases(installation),
    mailSamples: makeMailSamples(installation, parts.timeZone),

    printers: installation.printers,
    printJobs: installation.printJobs,
    ...makePrinterUseCases(installation),
    ...makePrintUseCases(installation),

    screens: installation.screens,
    rolling: installation.rolling,
    lookAtRollingCode: parts.lookAtRollingCode,
    orderAtScreen: makeScreenOrders(installation, parts),
    observeScreenOrder: parts.observeScreenOrder,
    ...makeScreenUseCases(installation),
    pairScreen: makePairScreen({ screens: installation.screens, floods: pairings, clock }),

    ...makeRequestUseCases(installation, {
      createVouchers,
      handOutReserve: parts.handOutReserve,
      timeZone: parts.timeZone,
      observe: parts.observeGuestRequest,
      log,
    }),

    sites,
    sitesFor: makeSitesFor(installation),
    hasSites: makeHasSites(installation),
    saveSite: makeSaveSite(installation),
    removeSite: installation.removeSite,
    kinds: KINDS,
    controllerOf,
    sealedConnection: makeSealedConnection(textSeal),
    probeCertificate,
    findCertificateHistory: makeFindCertificateHistory(installation),
    syncs: installation.syncs,
    syncSite: parts.syncSite,
    syncIntervalS: installation.syncIntervalS,

    reserves: installation.reserves,
    setReserve: makeSetReserve(installation),
    handOutBatch: makeBatchCreator({ ...batchDeps, createVouchers: handOutSeveral }),
    findLastFailure: installation.failedOrders.find,

    users,
    firstAdmin: installation.firstAdmin,
    makeFirstAdmin: makeFirstAdminCreator(installation),
    invitations: installation.invitations,
    invite: makeInvite(installation),
    acceptInvitation: makeAcceptInvitation(installation),
    requestReset: makeRequestReset({
      invitations: installation.invitations,
      clock,
      pause: () => sleep(Math.random() * MAX_RESET_PAUSE_MS),
    }),
    resetFloods: makeNetworkFloods({
      clock,
      max: MAX_RESET_REQUESTS,
      admitsCrowd: true,
      onFlood: (network) =>
        log.warn(
          { network, requests: MAX_RESET_REQUESTS },
          'too many requests for password links: refused until the minute is over',
        ),
    }),
    setPassword: makeSetPassword(installation),
    hasPassword: makeHasPassword(installation),
    confirmPassword: makeConfirmPassword({ users, webSessions, loginThrottle, checkPassword, clock }),
    secondFactors,
    enrol: makeEnrol(installation),
    checkCode,
    login: makeLogin({ verifyPassword, knownDevices, loginAfterPassword }),
    loginAfterPassword,
    finishLogin: makeFinishLogin({
      pendingLogins,
      loginThrottle,
      checkCode,
      beginSession,
      recordLogin,
      clock,
    }),
    proxyLogin: makeProxyLogin({ users, webSessions, beginSession, clock }),
    providerLogin: makeProviderLogin({
      singleSignOn,
      identityProvider,
      identities,
      oneTimeForms,
      webSessions,
      beginSession,
      clock,
    }),
    logout: makeLogout({ webSessions, recordLogin, externalSessions, singleSignOn, identityProvider }),
    webSessions,
    checkSession: makeCheckSession({
      externalSessions,
      webSessions,
      singleSignOn,
      identityProvider,
      identities,
      observeCheck,
      log,
      clock,
    }),
    renewSession: makeRenewSession({ externalSessions, textSeal }),
    knownDevices,
    mailTests: openMailTests(installation),
    singleSignOn,
    identities,
    proxyAuthHeader: installation.proxyAuthHeader,

    keys: installation.keys,
    issueKey: installation.issueKey,
    webhooks: installation.webhooks,
    addWebhook,
    changeWebhook,
    rotateSecret,
    testWebhook,
    deliveries: installation.deliveries,

    settings: installation.settings,
    retention: installation.retention,
    images: installation.images,
    searchAudit: installation.searchAudit,
    noteAudit,
    auditedVouchers: installation.auditedVouchers,
    findFirstSteps: makeFindFirstSteps(installation),
    findConcerns,
    countConcerns: makeCountConcerns({ findConcerns, clock }),
    adviseOnProxies: () => adviseOnProxies(installation),
    examineHealth: parts.examineHealth,
    clockRecords: installation.clockRecords,
    environmentPublicUrl: parts.environmentPublicUrl,
    settingsPlace: findSettingsPlace(),
    basePath: parts.basePath,
    timeZone: parts.timeZone,

    clock,
    log,
    timeout: installation.timeout,
    textSeal,
    oneTimeForms,
    observeLogin: parts.observeLogin,
    isDraining: parts.isDraining,
    stopping,
    runInBackground: backgroundWork.run,
  };
}
