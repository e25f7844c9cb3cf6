// Wires the pages of the web interface.

import { KINDS } from '../controllers/kinds.ts';
import { makeBatchCreator } from '../domain/batches/create-batch.ts';
import { makeCountConcerns, makeFindConcerns } from '../domain/concerns/find-concerns.ts';
import type { ExamineHealth } from '../domain/health/finding.ts';
import type { Log } from '../domain/log.ts';
import { makeBeginSession } from '../domain/sessions/begin-session.ts';
import { makeConfirmPassword, makeHasPassword } from '../domain/sessions/confirm-password.ts';
import { makeKnownDevices } from '../domain/sessions/known-device.ts';
import { makeFinishSignIn } from '../domain/sessions/pending-login.ts';
import { makeProxySignIn } from '../domain/sessions/proxy-sign-in.ts';
import { makeRenewSession } from '../domain/sessions/renew-session.ts';
import { makeSignIn } from '../domain/sessions/sign-in.ts';
import { makeVerifyPassword } from '../domain/sessions/verify-password.ts';
import type { CheckResult } from '../domain/sessions/web-session.ts';
import { makeFindFirstSteps } from '../domain/settings/first-steps.ts';
import { adviseOnProxies } from '../domain/settings/untrusted-proxies.ts';
import { makeCheckSession } from '../domain/single-sign-on/check-session.ts';
import { makeProviderSignIn } from '../domain/single-sign-on/sign-in-with-provider.ts';
import { makeSignOut } from '../domain/single-sign-on/sign-out.ts';
import { makeFindCertificateHistory } from '../domain/sites/certificate-history.ts';
import { makeSaveSite } from '../domain/sites/save-site.ts';
import { makeSealedAccess } from '../domain/sites/sealed-access.ts';
import { makeHasSites, makeSitesFor } from '../domain/sites/sites-for.ts';
import { makeComparePassword } from '../domain/users/compare-password.ts';
import { makeEnrol } from '../domain/users/enrol.ts';
import { makeFirstAdminCreator } from '../domain/users/first-admin.ts';
import { makeAcceptInvitation, makeInvite } from '../domain/users/invitations.ts';
import { makePasswordCheck } from '../domain/users/password-check.ts';
import { makeCheckCode } from '../domain/users/second-factor.ts';
import { makeSetPassword } from '../domain/users/set-password.ts';
import type { CreateVouchers } from '../domain/vouchers/create-vouchers.ts';
import type { SyncSite } from '../domain/vouchers/sync-site.ts';
import { compareBcrypt } from '../move-in/compare-bcrypt.ts';
import { makeIdentityProvider } from '../oidc/identity-provider.ts';
import { makeDrafts } from '../web/http/drafts.ts';
import { makeServePage } from '../web/http/page-app.ts';
import { makeReadProxyUser } from '../web/http/proxy-user.ts';
import { makeApiUrlOf } from '../web/http/public-url.ts';
import type { Route } from '../web/http/route.ts';
import { makeAccountPages } from '../web/pages/account/account.ts';
import { makeSecondFactorPages } from '../web/pages/account/second-factor.ts';
import { makeThemeRoutes } from '../web/pages/account/theme.ts';
import { makeApiDocsPages } from '../web/pages/api-docs/api-docs.ts';
import { makeAuditPages } from '../web/pages/audit/audit.ts';
import { makeBatchPages } from '../web/pages/batches/batch.ts';
import { makeBatchListPages } from '../web/pages/batches/batches.ts';
import { makeRevokeUnusedPages } from '../web/pages/batches/revoke-unused.ts';
import { makeHealthPages } from '../web/pages/health/health.ts';
import { makeKeyPages } from '../web/pages/keys/keys.ts';
import { makeEnter, makeShowSessionEnded } from '../web/pages/login/enter.ts';
import { makeInvitationPages } from '../web/pages/login/invitation.ts';
import { makeSignInPages } from '../web/pages/login/login.ts';
import { makeSignInCodePages } from '../web/pages/login/login-code.ts';
import { makeNoteLogin } from '../web/pages/login/note-login.ts';
import { makeProviderLoginPages } from '../web/pages/login/provider-login.ts';
import { makeCheckOwnPassword, withRecentPassword } from '../web/pages/login/recent-password.ts';
import { makeSetupPages } from '../web/pages/login/setup.ts';
import { makeOverviewPages } from '../web/pages/overview/overview.ts';
import { makeProfilePages } from '../web/pages/profiles/profiles.ts';
import { makeLogoPages } from '../web/pages/settings/logo.ts';
import { makeManifestRoutes } from '../web/pages/settings/manifest.ts';
import { makeSettingsPages, showSettings } from '../web/pages/settings/settings.ts';
import { makeSingleSignOnPages } from '../web/pages/single-sign-on/single-sign-on.ts';
import { makeSitePages } from '../web/pages/sites/sites.ts';
import { makeUserSecondFactorPages } from '../web/pages/users/user-second-factor.ts';
import { makeUserPages } from '../web/pages/users/users.ts';
import { makeExportPages } from '../web/pages/vouchers/export.ts';
import { makeFirstStepRoutes } from '../web/pages/vouchers/first-steps.ts';
import { makeGuestViewPages } from '../web/pages/vouchers/guest-view.ts';
import { makeNewVoucherPages } from '../web/pages/vouchers/new-voucher.ts';
import { makePrintPages } from '../web/pages/vouchers/print.ts';
import { makeRevocationReportPages } from '../web/pages/vouchers/revocation-report.ts';
import { makeRevokePages } from '../web/pages/vouchers/revoke.ts';
import { makeRevokeManyPages } from '../web/pages/vouchers/revoke-many.ts';
import { makeVoucherPages } from '../web/pages/vouchers/vouchers.ts';
import { makeDeliveryPages } from '../web/pages/webhooks/deliveries.ts';
import { makeWebhookPages } from '../web/pages/webhooks/webhooks.ts';
import { type Installation, probeCertificate } from './installation.ts';
import { makeRevocationUseCases } from './revocation-use-cases.ts';
import { makeWebhookUseCases } from './webhook-use-cases.ts';

export interface Parts {
  createVouchers: CreateVouchers;
  syncSite: SyncSite;
  basePath: string;
  publicUrl: string | undefined;
  timeZone: string;
  isDraining: () => boolean;
  observeLogin: (result: string) => void;
  observeCheck: (result: CheckResult) => void;
  examineHealth: ExamineHealth;
  log: Log;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** Work that continues after the response to its request. The service waits for this work when it stops. */
  backgroundWork: Set<Promise<unknown>>;
}

export function makeRoutes(
  installation: Installation,
  parts: Omit<Parts, 'timeZone' | 'isDraining' | 'observeCheck'>,
  identityProvider = makeIdentityProvider({ clock: installation.clock }),
) {
  const { createVouchers, syncSite, basePath, observeLogin, log, stopping, backgroundWork } = parts;
  const apiUrlOf = makeApiUrlOf(parts);
  const { clock, timeout, withLease, controllerOf, loginThrottle, pendingLogins, firstAdmin } = installation;
  const { keys, sites, users, vouchers, batches, profiles, finder, slips, images, syncs } = installation;
  const { settings, secondFactors, invitations, webSessions, webhooks, deliveries, syncIntervalS } =
    installation;
  const { searchAudit, noteAudit } = installation;

  const comparePassword = makeComparePassword({ users, compareBcrypt });
  const checkPassword = makePasswordCheck({ stopping, compare: comparePassword });
  const { noteSignIn } = installation;
  const verifyPassword = makeVerifyPassword({
    users,
    loginThrottle,
    checkPassword,
    failedAction: 'user.sign-in-failed',
    clock,
  });
  const confirmPassword = makeConfirmPassword({ users, webSessions, loginThrottle, checkPassword, clock });
  const knownDevices = makeKnownDevices({ textSeal: installation.formSeal, users, clock });
  const checkCode = makeCheckCode({ secondFactors, loginThrottle, knownDevices, clock });
  const { singleSignOn, identities, externalSessions } = installation;
  const beginSession = makeBeginSession({
    webSessions,
    externalSessions,
    loginThrottle,
    knownDevices,
    noteSignIn,
    textSeal: installation.formSeal,
    clock,
  });
  const providerSignIn = makeProviderSignIn({
    singleSignOn,
    identityProvider,
    identities,
    oneTimeForms: installation.oneTimeForms,
    webSessions,
    beginSession,
    clock,
  });
  const singleSignOnPages = makeSingleSignOnPages({ singleSignOn, identities, providerSignIn, sites, users });
  const setPassword = makeSetPassword({ users });
  const renewSession = makeRenewSession({ externalSessions, textSeal: installation.formSeal });
  const sitesFor = makeSitesFor({ sites, users });
  const saveSite = makeSaveSite(installation);
  const sealedAccess = makeSealedAccess(installation.formSeal);
  const { addWebhook, changeWebhook, rotateSecret, testWebhook } = makeWebhookUseCases(installation);

  const noteLogin = makeNoteLogin({ observeLogin, log });

  const enterWith = makeEnter({ webSessions, knownDevices, drafts: makeDrafts(installation.formSeal) });
  const hasPassword = makeHasPassword({ users });
  const checkOwnPassword = makeCheckOwnPassword({ confirmPassword, noteLogin });

  function runInBackground(work: Promise<unknown>): Promise<unknown> {
    const ended = work
      .catch((error) => log.error({ err: error }, 'work that went on after its page broke off'))
      .finally(() => backgroundWork.delete(ended));
    backgroundWork.add(ended);
    return ended;
  }

  const { bulkRevocations } = installation;
  const { revokeVoucher, revokeMany } = makeRevocationUseCases(installation);
  const revoking = { sitesFor, bulkRevocations, revokeMany, runInBackground, stopping };
  const hasSites = makeHasSites({ users });

  const routes: Route[] = [
    ...makeSetupPages({
      firstAdmin,
      makeFirstAdmin: makeFirstAdminCreator({ firstAdmin, loginThrottle, clock }),
    }),
    ...makeInvitationPages({ acceptInvitation: makeAcceptInvitation({ invitations, clock }) }),
    ...makeSignInPages({
      signIn: makeSignIn({
        verifyPassword,
        secondFactors,
        pendingLogins,
        knownDevices,
        beginSession,
        clock,
      }),
      firstAdmin,
      signOut: makeSignOut({ webSessions, noteSignIn, externalSessions, singleSignOn, identityProvider }),
      enterWith,
      noteLogin,
      singleSignOn,
      readProxyUser: makeReadProxyUser(installation.proxyAuthHeader),
      proxySignIn: makeProxySignIn({ users, webSessions, beginSession, clock }),
    }),
    ...makeProviderLoginPages({
      providerSignIn,
      enterWith,
      noteLogin,
      showTest: singleSignOnPages.showTest,
    }),
    ...makeSignInCodePages({
      finishSignIn: makeFinishSignIn({
        pendingLogins,
        loginThrottle,
        checkCode,
        beginSession,
        noteSignIn,
        clock,
      }),
      enterWith,
      noteLogin,
    }),
    ...makeNewVoucherPages({
      sitesFor,
      listSyncs: syncs.list,
      createBatch: makeBatchCreator({ batches, createVouchers, withLease, clock, stopping }),
      controllerOf,
      finder,
      batches,
      profiles,
      findFirstSteps: makeFindFirstSteps({ sites, slips, users, finder }),
      runInBackground,
    }),
    ...makeFirstStepRoutes({ settings }),
    ...makeBatchListPages({ batches, sitesFor }),
    ...makeBatchPages({ batches, sitesFor, slips, finder, bulkRevocations }),
    ...makeRevokeUnusedPages({ batches, finder, ...revoking }),
    ...makePrintPages({ slips, images, batches, sitesFor, noteAudit, searchAudit, stopping }),
    ...makeVoucherPages({ sitesFor, finder, slips, batches, bulkRevocations, hasSites }),
    ...makeGuestViewPages({ sitesFor, finder, slips }),
    ...makeRevokePages({ sitesFor, finder, revokeVoucher }),
    ...makeRevokeManyPages({ finder, slips, ...revoking }),
    ...makeRevocationReportPages({ ...revoking, hasSites }),
    ...makeExportPages({ sitesFor, finder, noteAudit }),
    ...makeProfilePages({ profiles, sites }),
    ...makeOverviewPages({
      findConcerns: makeFindConcerns(installation),
      sites,
      syncs,
      vouchers,
      keys,
      statistics: installation.statistics,
      adviseOnProxies: () => adviseOnProxies(installation),
    }),
    ...makeHealthPages({ examine: parts.examineHealth, clockRecords: installation.clockRecords }),
    ...makeAccountPages({
      hasPassword,
      setPassword,
      webSessions,
      secondFactors,
      knownDevices,
      checkOwnPassword,
      renewSession,
    }),
    ...makeThemeRoutes(),
    ...makeManifestRoutes(),
    ...makeSecondFactorPages({
      secondFactors,
      webSessions,
      enrol: makeEnrol({ secondFactors, clock }),
      checkCode,
      knownDevices,
      renewSession,
    }),
    ...makeSitePages({
      sites,
      removeDemo: installation.removeDemo,
      slips,
      images,
      syncs,
      syncIntervalS,
      syncSite,
      saveSite,
      kinds: KINDS,
      sealedAccess,
      probeCertificate,
      findCertificateHistory: makeFindCertificateHistory({ searchAudit, syncs }),
      timeout,
      stopping,
      runInBackground,
    }),
    ...makeKeyPages({ keys, sites, issueKey: installation.issueKey, apiUrlOf }),
    ...makeApiDocsPages({ basePath, apiUrlOf, sitesFor }),
    ...makeUserPages({
      users,
      sites,
      invite: makeInvite({ invitations }),
      invitations,
      webSessions,
      secondFactors,
      identities,
    }),
    ...makeUserSecondFactorPages({ users, secondFactors, settings }),
    ...makeWebhookPages({ webhooks, addWebhook, changeWebhook, rotateSecret, testWebhook }),
    ...makeDeliveryPages({ webhooks, deliveries }),
    ...makeAuditPages({
      searchAudit,
      noteAudit,
      auditedVouchers: installation.auditedVouchers,
      sites,
      users,
      keys,
      profiles,
      webhooks,
    }),
    ...makeSettingsPages({ settings, retention: installation.retention }),
    ...singleSignOnPages.routes,
    ...makeLogoPages({
      images,
      sites,
      sitesFor,
      showSettings: (context, logo) => showSettings(context, { logo }),
    }),
  ];
  return routes.map((route) => withRecentPassword(route, { checkOwnPassword, hasPassword }));
}

export function makePages(installation: Installation, parts: Parts) {
  const { webSessions, oneTimeForms, secondFactors, singleSignOn, settings, clock } = installation;
  const { basePath, publicUrl, timeZone, isDraining, observeCheck, log } = parts;
  const identityProvider = makeIdentityProvider({ clock });
  return makeServePage({
    routes: makeRoutes(installation, parts, identityProvider),
    webSessions,
    checkSession: makeCheckSession({
      externalSessions: installation.externalSessions,
      webSessions,
      singleSignOn,
      identityProvider,
      identities: installation.identities,
      observeCheck,
      log,
      clock,
    }),
    oneTimeForms,
    secondFactors,
    showSessionEnded: makeShowSessionEnded({
      drafts: makeDrafts(installation.formSeal),
      textSeal: installation.formSeal,
      singleSignOn,
      readProxyUser: makeReadProxyUser(installation.proxyAuthHeader),
    }),
    readProxyUser: makeReadProxyUser(installation.proxyAuthHeader),
    settings,
    countConcerns: makeCountConcerns({ findConcerns: makeFindConcerns(installation), clock }),
    clock,
    basePath,
    publicUrl,
    timeZone,
    isDraining,
    log,
  });
}
