// The functions, stores and settings that the pages use. All pages share one such object, which app/pages.ts creates.
// A feature adds its own by declaration merging, in its `*-pages.ts`.

import type { Log } from '../../platform/log/log.ts';
import type { Count } from '../../platform/metrics/metric.ts';
import type { NetworkFloods } from '../../platform/network/network-floods.ts';
import type { TextSeal } from '../../platform/secrets/text-seal.ts';
import type { Clock } from '../../platform/time/clock.ts';
import type { Result } from '../../platform/values/result.ts';
import type { AuditedVouchers, NoteAudit, SearchAudit } from '../audit/audit-log.ts';
import type { BatchStore } from '../batches/batch.ts';
import type { CreateBatch, CreateReplacement } from '../batches/create-batch.ts';
import type { ResumeBatch } from '../batches/resume-batch.ts';
import type { ClockRecordStore } from '../clock-check/clock-check.ts';
import type { Controller, ControllerFailure } from '../controllers/controller.ts';
import type { ControllerKind } from '../controllers/controller-kind.ts';
import type { ExamineHealth } from '../health/finding.ts';
import type { HealthCheck } from '../health/health-check.ts';
import type { FindOutdated } from '../instances/known-since.ts';
import type { IssueKey } from '../keys/issue-key.ts';
import type { KeyStore } from '../keys/key-records.ts';
import type { CountConcerns, FindConcerns } from '../overview/find-concerns.ts';
import type { ProfileStore } from '../profiles/profile.ts';
import type { RecordLogin } from '../sessions/begin-session.ts';
import type { CheckCode } from '../sessions/check-code.ts';
import type { ConfirmPassword, HasPassword } from '../sessions/confirm-password.ts';
import type { KnownDevices } from '../sessions/known-device.ts';
import type { Login, LoginAfterPassword } from '../sessions/login.ts';
import type { OneTimeFormStore } from '../sessions/one-time-forms.ts';
import type { FinishLogin } from '../sessions/pending-login.ts';
import type { ProxyLogin } from '../sessions/proxy-login.ts';
import type { RenewSession } from '../sessions/renew-session.ts';
import type { WebSessionStore } from '../sessions/web-session.ts';
import type { SettingsPlace } from '../settings/environment-settings.ts';
import type { FindFirstSteps } from '../settings/first-steps.ts';
import type { ImageStore, SettingsStore } from '../settings/settings.ts';
import type { ProxyAdvice } from '../settings/untrusted-proxies.ts';
import type { FindCertificateHistory } from '../sites/certificate-history.ts';
import type { RemoveSite } from '../sites/remove-site.ts';
import type { SaveSite } from '../sites/save-site.ts';
import type { SealedConnection } from '../sites/sealed-connection.ts';
import type { Site, SiteStore } from '../sites/site.ts';
import type { SyncStore } from '../sites/site-sync.ts';
import type { HasSites, SitesFor } from '../sites/sites-for.ts';
import type { PrintPdf } from '../slips/pdf-printer.ts';
import type { SlipStore } from '../slips/slip.ts';
import type { Enrol } from '../users/enrol.ts';
import type { FirstAdminStore, MakeFirstAdmin } from '../users/first-admin.ts';
import type { AcceptInvitation, InvitationStore, Invite, RequestReset } from '../users/invitations.ts';
import type { SecondFactorStore } from '../users/second-factor.ts';
import type { SetPassword } from '../users/set-password.ts';
import type { UserStore } from '../users/user.ts';
import type { BulkRevocationStore } from '../vouchers/bulk-revocation.ts';
import type { DeviceDisconnector } from '../vouchers/disconnect-devices.ts';
import type { FailedOrderStore } from '../vouchers/failed-orders.ts';
import type { LostVoucherStore } from '../vouchers/lost-vouchers.ts';
import type { RetentionStore } from '../vouchers/retention.ts';
import type { RevokeVoucher } from '../vouchers/revoke-voucher.ts';
import type { RunBulkRevocation } from '../vouchers/run-bulk-revocation.ts';
import type { VoucherStatistics } from '../vouchers/statistics.ts';
import type { SyncSite } from '../vouchers/sync-site.ts';
import type { VoucherStore } from '../vouchers/voucher-records.ts';
import type { VoucherFinder } from '../vouchers/voucher-search.ts';

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
  findOutdated: FindOutdated;

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
  recordLogin: RecordLogin;
  webSessions: WebSessionStore;
  renewSession: RenewSession;
  knownDevices: KnownDevices;
  /** The header in which a trusted proxy names the user. Undefined if sign-in through a proxy is not configured. */
  proxyAuthHeader: string | undefined;

  // API keys
  keys: KeyStore;
  issueKey: IssueKey;

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
  /** The checks of the features. */
  healthChecks: readonly HealthCheck[];
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
  count: Count;
  isDraining(): boolean;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
  /** For work that may continue after its request has been answered. The service waits for it before it stops. */
  runInBackground(work: Promise<unknown>): Promise<unknown>;
}
