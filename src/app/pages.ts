// Collects everything that the pages need, and serves the pages. Loaded by `load-pages.ts`.

import { setTimeout as sleep } from 'node:timers/promises';
import { MAX_OPENED, makeOpenGuestPage } from '../features/guest-pages/open-guest-page.ts';
import { makeMailSamples } from '../features/mail/mail-samples-use-case.ts';
import { openMailTests } from '../features/mail/mail-test-use-case.ts';
import { makeMailUseCases } from '../features/mail/mail-use-cases.ts';
import { makePrintUseCases } from '../features/printers/print-use-cases.ts';
import { makePrinterUseCases } from '../features/printers/printer-use-cases.ts';
import { GUEST_REQUESTS } from '../features/requests/ask.ts';
import { makeRequestUseCases } from '../features/requests/request-use-cases.ts';
import { makeHandOutUseCases } from '../features/reserve/hand-out-use-cases.ts';
import { makeSetReserve } from '../features/reserve/set-reserve.ts';
import { MAX_PAIRINGS, makePairScreen } from '../features/screens/pair-screen.ts';
import type { LookAtRollingCode } from '../features/screens/rolling-code.ts';
import { makeScreenOrders } from '../features/screens/screen-order-use-case.ts';
import { makeScreenUseCases } from '../features/screens/screen-use-cases.ts';
import { makeCheckSession } from '../features/single-sign-on/check-session.ts';
import { makeLogout } from '../features/single-sign-on/logout.ts';
import { makeIdentityProvider } from '../features/single-sign-on/openid/openid-provider.ts';
import { makeProviderLogin } from '../features/single-sign-on/provider-login.ts';
import { makeWebhookUseCases } from '../features/webhooks/webhook-use-cases.ts';
import { makeFillDeps, makeResumeUseCase } from '../kernel/batches/batch-use-cases.ts';
import { makeBatchCreator, makeReplacementCreator } from '../kernel/batches/create-batch.ts';
import { KINDS } from '../kernel/controllers/kinds.ts';
import { probeCertificate } from '../kernel/controllers/upstream/probe-certificate.ts';
import { makeExamineRunning } from '../kernel/health/examine.ts';
import { SESSION_CHECKS } from '../kernel/health/kernel-metrics.ts';
import type { SiteId } from '../kernel/ids.ts';
import type { Installation } from '../kernel/installation.ts';
import { makeCountConcerns, makeFindConcerns } from '../kernel/overview/find-concerns.ts';
import { kernelConcerns } from '../kernel/overview/kernel-concerns.ts';
import type { App } from '../kernel/pages/app.ts';
import { makeServePage, type ServePage } from '../kernel/pages/page-app.ts';
import { makeBeginSession } from '../kernel/sessions/begin-session.ts';
import { makeCheckCode } from '../kernel/sessions/check-code.ts';
import { makeConfirmPassword, makeHasPassword } from '../kernel/sessions/confirm-password.ts';
import { makeKnownDevices } from '../kernel/sessions/known-device.ts';
import { makeLogin, makeLoginAfterPassword } from '../kernel/sessions/login.ts';
import { showSessionEnded } from '../kernel/sessions/pages/enter.ts';
import { makeFinishLogin } from '../kernel/sessions/pending-login.ts';
import { makeProxyLogin } from '../kernel/sessions/proxy-login.ts';
import { makeRenewSession } from '../kernel/sessions/renew-session.ts';
import { makeVerifyPassword } from '../kernel/sessions/verify-password.ts';
import { makeFindFirstSteps } from '../kernel/settings/first-steps.ts';
import { adviseOnProxies } from '../kernel/settings/untrusted-proxies.ts';
import { makeFindCertificateHistory } from '../kernel/sites/certificate-history.ts';
import { makeSaveSite } from '../kernel/sites/save-site.ts';
import { makeSealedConnection } from '../kernel/sites/sealed-connection.ts';
import { makeHasSites, makeSitesFor } from '../kernel/sites/sites-for.ts';
import { makePdfPrinter } from '../kernel/slips/pdf-printer.ts';
import { compareBcrypt } from '../kernel/users/bcrypt/compare-bcrypt.ts';
import { makeComparePassword } from '../kernel/users/compare-password.ts';
import { makeEnrol } from '../kernel/users/enrol.ts';
import { makeFirstAdminCreator } from '../kernel/users/first-admin.ts';
import { makeAcceptInvitation, makeInvite, makeRequestReset } from '../kernel/users/invitations.ts';
import { makePasswordCheck } from '../kernel/users/password-check.ts';
import { makeSetPassword } from '../kernel/users/set-password.ts';
import type { CreateVouchers } from '../kernel/vouchers/create-vouchers.ts';
import { makeDeviceDisconnector } from '../kernel/vouchers/disconnect-devices.ts';
import type { RefuseMany } from '../kernel/vouchers/hand-over-way.ts';
import { makeRevocationUseCases } from '../kernel/vouchers/revocation-use-cases.ts';
import type { SyncSite } from '../kernel/vouchers/sync-site.ts';
import type { Config } from '../platform/config/config.ts';
import { findSettingsPlace } from '../platform/config/settings-place.ts';
import type { BackgroundWork } from '../platform/jobs/background-work.ts';
import type { Log } from '../platform/log/log.ts';
import type { Count } from '../platform/metrics/metric.ts';
import { MAX_WRONG, makeNetworkFloods } from '../platform/network/network-floods.ts';
import { loadHealth } from './feature-health.ts';
import { FEATURE_PAGES, ROUTES } from './routes.ts';

/** Requests for password links that one network may send in a minute. */
const MAX_RESET_REQUESTS = 10;
const MAX_RESET_PAUSE_MS = 500;

const HEALTH = await loadHealth();

export interface Parts {
  createVouchers: CreateVouchers;
  refuseMany: RefuseMany;
  lookAtRollingCode: LookAtRollingCode;
  syncSite: SyncSite;
  config: Config;
  basePath: string;
  environmentPublicUrl: string | undefined;
  timeZone: string;
  isDraining: () => boolean;
  count: Count;
  /** Counts an order that did not get its vouchers. */
  observeFailure: (siteId: SiteId, reason: string) => void;
  log: Log;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  backgroundWork: BackgroundWork;
}

export function makePages(installation: Installation, parts: Parts): ServePage {
  return makeServePage(makeApp(installation, parts), {
    routes: ROUTES,
    features: FEATURE_PAGES,
    showSessionEnded,
  });
}

function makeApp(installation: Installation, parts: Parts): App {
  const { clock, users, webSessions, externalSessions, loginThrottle, recordLogin } = installation;
  const { secondFactors, pendingLogins, singleSignOn, identities, oneTimeForms } = installation;
  const { batches, sites, controllerOf, noteAudit, timeout } = installation;
  const { guestLinks, finder } = installation;
  const { createVouchers, count, log, stopping, backgroundWork } = parts;
  const { handOutReserve, handOutSeveral } = makeHandOutUseCases(installation, parts);
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
  const healthChecks = HEALTH.flatMap(({ healthCheck = [] }) => healthCheck);
  const findConcerns = makeFindConcerns(installation, [
    ...kernelConcerns,
    ...HEALTH.flatMap(({ concerns = [] }) => concerns),
  ]);
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
    orderAtScreen: makeScreenOrders(installation, { ...parts, handOutReserve }),
    ...makeScreenUseCases(installation),
    pairScreen: makePairScreen({ screens: installation.screens, floods: pairings, clock }),

    ...makeRequestUseCases(installation, {
      createVouchers,
      handOutReserve,
      timeZone: parts.timeZone,
      observe: (result) => count(GUEST_REQUESTS, { result }),
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
    recordLogin,
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
    logout: makeLogout({ externalSessions, singleSignOn, identityProvider }),
    webSessions,
    checkSession: makeCheckSession({
      externalSessions,
      webSessions,
      singleSignOn,
      identityProvider,
      identities,
      observeCheck: (result) => count(SESSION_CHECKS, { result }),
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
    healthChecks,
    examineHealth: makeExamineRunning(installation, parts.config, healthChecks),
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
    count,
    isDraining: parts.isDraining,
    stopping,
    runInBackground: backgroundWork.run,
  };
}
