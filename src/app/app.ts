// The functions, stores and settings that the pages use. All pages share one such object, which app/pages.ts creates.

import type { GuestLinkStore } from '../features/guest-pages/guest-link.ts';
import type { GuestPageResult, OpenGuestPage } from '../features/guest-pages/open-guest-page.ts';
import type { MailTextStore } from '../features/mail/custom-mail-text.ts';
import type { MailStore } from '../features/mail/mail.ts';
import type { MailSamples } from '../features/mail/mail-samples.ts';
import type { MailServerStore } from '../features/mail/mail-server.ts';
import type { MailVoucher } from '../features/mail/mail-voucher.ts';
import type { ResendMail } from '../features/mail/resend-mail.ts';
import type { MailTests } from '../features/mail/test-mail.ts';
import type { PrintJobStore } from '../features/printers/print-job.ts';
import type { CancelPrintJob, PrintVouchers } from '../features/printers/print-vouchers.ts';
import type { PrinterStore } from '../features/printers/printer.ts';
import type { AddPrinter, ChangePrinter } from '../features/printers/save-printer.ts';
import type { AskForVoucher } from '../features/requests/ask.ts';
import type {
  ApproveFromReserve,
  ApproveRequest,
  DeclineRequest,
} from '../features/requests/decide-request.ts';
import type { GuestRequestStore } from '../features/requests/guest-request.ts';
import type { OpenRequestPage } from '../features/requests/open-request-page.ts';
import type { ReserveStore } from '../features/reserve/reserve.ts';
import type { SetReserve } from '../features/reserve/set-reserve.ts';
import type { AddScreen, ChangeScreen } from '../features/screens/add-screen.ts';
import type { OrderAtScreen, ScreenOrderResult } from '../features/screens/order-at-screen.ts';
import type { PairScreen, RenewPairing } from '../features/screens/pair-screen.ts';
import type { LookAtRollingCode, RollingStore } from '../features/screens/rolling-code.ts';
import type { ScreenStore } from '../features/screens/screen.ts';
import type { CheckSession } from '../features/single-sign-on/check-session.ts';
import type { Logout } from '../features/single-sign-on/logout.ts';
import type { ProviderLogin } from '../features/single-sign-on/provider-login.ts';
import type { IdentityStore, SingleSignOnStore } from '../features/single-sign-on/single-sign-on.ts';
import type { DeliveryStore } from '../features/webhooks/delivery.ts';
import type { AddWebhook, ChangeWebhook, RotateSecret } from '../features/webhooks/manage-webhooks.ts';
import type { TestWebhook } from '../features/webhooks/test-webhook.ts';
import type { WebhookStore } from '../features/webhooks/webhook.ts';
import type { AuditedVouchers, NoteAudit, SearchAudit } from '../kernel/audit/audit-log.ts';
import type { BatchStore } from '../kernel/batches/batch.ts';
import type { CreateBatch, CreateReplacement } from '../kernel/batches/create-batch.ts';
import type { ResumeBatch } from '../kernel/batches/resume-batch.ts';
import type { ClockRecordStore } from '../kernel/clock-check/clock-check.ts';
import type { Controller, ControllerFailure } from '../kernel/controllers/controller.ts';
import type { ControllerKind } from '../kernel/controllers/controller-kind.ts';
import type { ExamineHealth } from '../kernel/health/finding.ts';
import type { FindOutdated } from '../kernel/instances/known-since.ts';
import type { IssueKey } from '../kernel/keys/issue-key.ts';
import type { KeyStore } from '../kernel/keys/key-records.ts';
import type { CountConcerns, FindConcerns } from '../kernel/overview/find-concerns.ts';
import type { ProfileStore } from '../kernel/profiles/profile.ts';
import type { CheckCode } from '../kernel/sessions/check-code.ts';
import type { ConfirmPassword, HasPassword } from '../kernel/sessions/confirm-password.ts';
import type { KnownDevices } from '../kernel/sessions/known-device.ts';
import type { Login, LoginAfterPassword } from '../kernel/sessions/login.ts';
import type { OneTimeFormStore } from '../kernel/sessions/one-time-forms.ts';
import type { FinishLogin } from '../kernel/sessions/pending-login.ts';
import type { ProxyLogin } from '../kernel/sessions/proxy-login.ts';
import type { RenewSession } from '../kernel/sessions/renew-session.ts';
import type { WebSessionStore } from '../kernel/sessions/web-session.ts';
import type { SettingsPlace } from '../kernel/settings/environment-settings.ts';
import type { FindFirstSteps } from '../kernel/settings/first-steps.ts';
import type { ImageStore, SettingsStore } from '../kernel/settings/settings.ts';
import type { ProxyAdvice } from '../kernel/settings/untrusted-proxies.ts';
import type { FindCertificateHistory } from '../kernel/sites/certificate-history.ts';
import type { RemoveSite } from '../kernel/sites/remove-site.ts';
import type { SaveSite } from '../kernel/sites/save-site.ts';
import type { SealedConnection, TextSeal } from '../kernel/sites/sealed-connection.ts';
import type { Site, SiteStore } from '../kernel/sites/site.ts';
import type { SyncStore } from '../kernel/sites/site-sync.ts';
import type { HasSites, SitesFor } from '../kernel/sites/sites-for.ts';
import type { PrintPdf } from '../kernel/slips/pdf-printer.ts';
import type { SlipStore } from '../kernel/slips/slip.ts';
import type { Enrol } from '../kernel/users/enrol.ts';
import type { FirstAdminStore, MakeFirstAdmin } from '../kernel/users/first-admin.ts';
import type { AcceptInvitation, InvitationStore, Invite, RequestReset } from '../kernel/users/invitations.ts';
import type { SecondFactorStore } from '../kernel/users/second-factor.ts';
import type { SetPassword } from '../kernel/users/set-password.ts';
import type { UserStore } from '../kernel/users/user.ts';
import type { BulkRevocationStore } from '../kernel/vouchers/bulk-revocation.ts';
import type { DeviceDisconnector } from '../kernel/vouchers/disconnect-devices.ts';
import type { FailedOrderStore } from '../kernel/vouchers/failed-orders.ts';
import type { LostVoucherStore } from '../kernel/vouchers/lost-vouchers.ts';
import type { RetentionStore } from '../kernel/vouchers/retention.ts';
import type { RevokeVoucher } from '../kernel/vouchers/revoke-voucher.ts';
import type { RunBulkRevocation } from '../kernel/vouchers/run-bulk-revocation.ts';
import type { VoucherStatistics } from '../kernel/vouchers/statistics.ts';
import type { SyncSite } from '../kernel/vouchers/sync-site.ts';
import type { VoucherStore } from '../kernel/vouchers/voucher-records.ts';
import type { VoucherFinder } from '../kernel/vouchers/voucher-search.ts';
import type { Log } from '../platform/log/log.ts';
import type { NetworkFloods } from '../platform/network/network-floods.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { Result } from '../platform/values/result.ts';

export interface App {
  // Vouchers
  vouchers: Pick<VoucherStore, 'countIntents'>;
  finder: VoucherFinder;
  batches: BatchStore;
  createBatch: CreateBatch;
  lostVouchers: LostVoucherStore;
  createReplacement: CreateReplacement;
  resumeBatch: ResumeBatch;
  profiles: ProfileStore;
  revokeVoucher: RevokeVoucher;
  devices: DeviceDisconnector;
  runBulkRevocation: RunBulkRevocation;
  bulkRevocations: BulkRevocationStore;
  statistics: VoucherStatistics;
  slips: SlipStore;
  printPdf: PrintPdf;
  guestLinks: GuestLinkStore;
  findOutdated: FindOutdated;
  openGuestPage: OpenGuestPage;
  observeGuestPage(result: GuestPageResult): void;

  // E-mail
  mailServer: MailServerStore;
  mailTests: MailTests;
  mails: MailStore;
  mailTexts: MailTextStore;
  mailVoucher: MailVoucher;
  resendMail: ResendMail;
  mailSamples: MailSamples;

  // Printers
  printers: PrinterStore;
  printJobs: PrintJobStore;
  addPrinter: AddPrinter;
  changePrinter: ChangePrinter;
  printVouchers: PrintVouchers;
  cancelPrintJob: CancelPrintJob;

  // Screens
  screens: ScreenStore;
  rolling: Pick<RollingStore, 'find'>;
  lookAtRollingCode: LookAtRollingCode;
  orderAtScreen: OrderAtScreen;
  observeScreenOrder(result: ScreenOrderResult): void;
  addScreen: AddScreen;
  changeScreen: ChangeScreen;
  renewPairing: RenewPairing;
  pairScreen: PairScreen;

  // Requests of guests
  guestRequests: GuestRequestStore;
  openRequestPage: OpenRequestPage;
  askForVoucher: AskForVoucher;
  approveRequest: ApproveRequest;
  approveFromReserve: ApproveFromReserve;
  declineRequest: DeclineRequest;

  // Sites and their controllers
  sites: SiteStore;
  sitesFor: SitesFor;
  hasSites: HasSites;
  saveSite: SaveSite;
  removeSite: RemoveSite;
  /** All kinds of controller, in the order in which they are offered. */
  kinds: readonly ControllerKind[];
  controllerOf(site: Site): Pick<Controller, 'bounds'>;
  sealedConnection: SealedConnection;
  probeCertificate(
    url: string,
  ): Promise<Result<{ fingerprint256: string; vouchedFor: boolean }, ControllerFailure>>;
  findCertificateHistory: FindCertificateHistory;
  syncs: SyncStore;
  syncSite: SyncSite;
  syncIntervalS: number;

  // The reserve of vouchers
  reserves: Pick<ReserveStore, 'find' | 'list'>;
  setReserve: SetReserve;
  /** As `createBatch`, but with vouchers of the reserve. */
  handOutBatch: CreateBatch;
  findLastFailure: FailedOrderStore['find'];

  // Users and sessions
  users: UserStore;
  firstAdmin: FirstAdminStore;
  makeFirstAdmin: MakeFirstAdmin;
  invitations: InvitationStore;
  invite: Invite;
  acceptInvitation: AcceptInvitation;
  requestReset: RequestReset;
  /** Counts the requests for password links. */
  resetFloods: NetworkFloods;
  setPassword: SetPassword;
  hasPassword: HasPassword;
  confirmPassword: ConfirmPassword;
  secondFactors: SecondFactorStore;
  enrol: Enrol;
  checkCode: CheckCode;
  login: Login;
  loginAfterPassword: LoginAfterPassword;
  finishLogin: FinishLogin;
  proxyLogin: ProxyLogin;
  providerLogin: ProviderLogin;
  logout: Logout;
  webSessions: WebSessionStore;
  checkSession: CheckSession;
  renewSession: RenewSession;
  knownDevices: KnownDevices;
  singleSignOn: SingleSignOnStore;
  identities: IdentityStore;
  /** The header in which a trusted proxy names the user. Undefined if sign-in through a proxy is not configured. */
  proxyAuthHeader: string | undefined;

  // API keys and webhooks
  keys: KeyStore;
  issueKey: IssueKey;
  webhooks: WebhookStore;
  addWebhook: AddWebhook;
  changeWebhook: ChangeWebhook;
  rotateSecret: RotateSecret;
  testWebhook: TestWebhook;
  deliveries: DeliveryStore;

  // The installation
  settings: SettingsStore;
  retention: RetentionStore;
  images: ImageStore;
  searchAudit: SearchAudit;
  noteAudit: NoteAudit;
  auditedVouchers: AuditedVouchers;
  findFirstSteps: FindFirstSteps;
  findConcerns: FindConcerns;
  countConcerns: CountConcerns;
  adviseOnProxies(): Promise<ProxyAdvice[]>;
  examineHealth: ExamineHealth;
  clockRecords: Pick<ClockRecordStore, 'read' | 'confirm'>;
  /** PUBLIC_URL of the environment. The address that counts is `publicUrl` in the context of a request. */
  environmentPublicUrl: string | undefined;
  /** Where the environment of this service is set. */
  settingsPlace: SettingsPlace;
  basePath: string;
  timeZone: string;

  // The running service
  clock: Clock;
  log: Log;
  timeout(ms: number): AbortSignal;
  textSeal: TextSeal;
  oneTimeForms: OneTimeFormStore;
  observeLogin(result: string): void;
  isDraining(): boolean;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** For work that may continue after its request has been answered. The service waits for it before it stops. */
  runInBackground(work: Promise<unknown>): Promise<unknown>;
}
