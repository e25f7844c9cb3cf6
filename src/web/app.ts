// The functions, stores and settings that the pages use. All pages share one such object, which app/pages.ts creates.

import type { AuditedVouchers, NoteAudit, SearchAudit } from '../domain/audit/audit-log.ts';
import type { BatchStore } from '../domain/batches/batch.ts';
import type { CreateBatch, CreateReplacement } from '../domain/batches/create-batch.ts';
import type { ResumeBatch } from '../domain/batches/resume-batch.ts';
import type { Clock } from '../domain/clock.ts';
import type { ClockRecordStore } from '../domain/clock-check/clock-check.ts';
import type { CountConcerns, FindConcerns } from '../domain/concerns/find-concerns.ts';
import type { Controller, ControllerFailure } from '../domain/controller.ts';
import type { ControllerKind } from '../domain/controller-kind.ts';
import type { GuestLinkStore } from '../domain/guest-pages/guest-link.ts';
import type { GuestPageResult, OpenGuestPage } from '../domain/guest-pages/open-guest-page.ts';
import type { ExamineHealth } from '../domain/health/finding.ts';
import type { FindOutdated } from '../domain/instances/known-since.ts';
import type { IssueKey } from '../domain/keys/issue-key.ts';
import type { KeyStore } from '../domain/keys/key-store.ts';
import type { Log } from '../domain/log.ts';
import type { MailStore } from '../domain/mail/mail.ts';
import type { MailSamples } from '../domain/mail/mail-samples.ts';
import type { MailServerStore } from '../domain/mail/mail-server.ts';
import type { MailTextStore } from '../domain/mail/mail-texts.ts';
import type { MailVoucher } from '../domain/mail/mail-voucher.ts';
import type { ResendMail } from '../domain/mail/resend-mail.ts';
import type { MailTests } from '../domain/mail/test-mail.ts';
import type { NetworkFloods } from '../domain/network-floods.ts';
import type { PrintJobStore } from '../domain/printers/print-job.ts';
import type { CancelPrintJob, PrintVouchers } from '../domain/printers/print-vouchers.ts';
import type { PrinterStore } from '../domain/printers/printer.ts';
import type { AddPrinter, ChangePrinter } from '../domain/printers/save-printer.ts';
import type { ProfileStore } from '../domain/profiles/profile.ts';
import type { AskForVoucher } from '../domain/requests/ask.ts';
import type {
  ApproveFromReserve,
  ApproveRequest,
  DeclineRequest,
} from '../domain/requests/decide-request.ts';
import type { GuestRequestStore } from '../domain/requests/guest-request.ts';
import type { OpenRequestPage } from '../domain/requests/open-request-page.ts';
import type { Result } from '../domain/result.ts';
import type { AddScreen, ChangeScreen } from '../domain/screens/add-screen.ts';
import type { OrderAtScreen, ScreenOrderResult } from '../domain/screens/order-at-screen.ts';
import type { PairScreen, RenewPairing } from '../domain/screens/pair-screen.ts';
import type { LookAtRollingCode, RollingStore } from '../domain/screens/rolling-code.ts';
import type { ScreenStore } from '../domain/screens/screen.ts';
import type { CheckCode } from '../domain/sessions/check-code.ts';
import type { ConfirmPassword, HasPassword } from '../domain/sessions/confirm-password.ts';
import type { KnownDevices } from '../domain/sessions/known-device.ts';
import type { Login, LoginAfterPassword } from '../domain/sessions/login.ts';
import type { OneTimeFormStore } from '../domain/sessions/one-time-forms.ts';
import type { FinishLogin } from '../domain/sessions/pending-login.ts';
import type { ProxyLogin } from '../domain/sessions/proxy-login.ts';
import type { RenewSession } from '../domain/sessions/renew-session.ts';
import type { WebSessionStore } from '../domain/sessions/web-session.ts';
import type { SettingsPlace } from '../domain/settings/environment-settings.ts';
import type { FindFirstSteps } from '../domain/settings/first-steps.ts';
import type { ImageStore, SettingsStore } from '../domain/settings/settings.ts';
import type { ProxyAdvice } from '../domain/settings/untrusted-proxies.ts';
import type { CheckSession } from '../domain/single-sign-on/check-session.ts';
import type { Logout } from '../domain/single-sign-on/logout.ts';
import type { ProviderLogin } from '../domain/single-sign-on/provider-login.ts';
import type { IdentityStore, SingleSignOnStore } from '../domain/single-sign-on/single-sign-on.ts';
import type { FindCertificateHistory } from '../domain/sites/certificate-history.ts';
import type { RemoveSite } from '../domain/sites/remove-site.ts';
import type { SaveSite } from '../domain/sites/save-site.ts';
import type { SealedConnection, TextSeal } from '../domain/sites/sealed-connection.ts';
import type { Site, SiteStore } from '../domain/sites/site.ts';
import type { SyncStore } from '../domain/sites/site-sync.ts';
import type { HasSites, SitesFor } from '../domain/sites/sites-for.ts';
import type { SlipStore } from '../domain/sites/slip.ts';
import type { ReserveStore } from '../domain/stock/reserve.ts';
import type { SetReserve } from '../domain/stock/set-reserve.ts';
import type { Enrol } from '../domain/users/enrol.ts';
import type { FirstAdminStore, MakeFirstAdmin } from '../domain/users/first-admin.ts';
import type { AcceptInvitation, InvitationStore, Invite, RequestReset } from '../domain/users/invitations.ts';
import type { SecondFactorStore } from '../domain/users/second-factor.ts';
import type { SetPassword } from '../domain/users/set-password.ts';
import type { UserStore } from '../domain/users/user.ts';
import type { BulkRevocationStore } from '../domain/vouchers/bulk-revocation.ts';
import type { DeviceDisconnector } from '../domain/vouchers/disconnect-devices.ts';
import type { FailedOrderStore } from '../domain/vouchers/failed-orders.ts';
import type { LostVoucherStore } from '../domain/vouchers/lost-vouchers.ts';
import type { RetentionStore } from '../domain/vouchers/retention.ts';
import type { RevokeVoucher } from '../domain/vouchers/revoke-voucher.ts';
import type { RunBulkRevocation } from '../domain/vouchers/run-bulk-revocation.ts';
import type { VoucherStatistics } from '../domain/vouchers/statistics.ts';
import type { SyncSite } from '../domain/vouchers/sync-site.ts';
import type { VoucherFinder } from '../domain/vouchers/voucher-search.ts';
import type { VoucherStore } from '../domain/vouchers/voucher-store.ts';
import type { DeliveryStore } from '../domain/webhooks/delivery.ts';
import type { AddWebhook, ChangeWebhook, RotateSecret } from '../domain/webhooks/manage-webhooks.ts';
import type { TestWebhook } from '../domain/webhooks/test-webhook.ts';
import type { WebhookStore } from '../domain/webhooks/webhook.ts';
import type { PrintPdf } from '../print/pdf-printer.ts';

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
