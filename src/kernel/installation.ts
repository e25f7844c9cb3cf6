// An opened installation: its stores, and the functions built from them, for use cases, commands and jobs.
// `app/installation.ts` opens it. A feature adds its members in its `feature.ts`.

import type { BackupFailureReports, BackupRecords } from '../platform/backup/scheduled-backups.ts';
import type { Config } from '../platform/config/config.ts';
import type { Backlogs } from '../platform/database/backlogs.ts';
import type { Database } from '../platform/database/database.ts';
import type { TableDeclarations } from '../platform/database/tables/table-declarations.ts';
import type { StorageErrors } from '../platform/database/tally-storage-errors.ts';
import type { LeaseStore, WithLease } from '../platform/leases/leases.ts';
import type { TargetRule } from '../platform/network/targets/ip-rules.ts';
import type { Seal } from '../platform/secrets/seal.ts';
import type { TextSeal } from '../platform/secrets/text-seal.ts';
import type { Clock } from '../platform/time/clock.ts';
import type { StartDeadline } from '../platform/time/deadline.ts';
import type { AuditedVouchers, NoteAudit, SearchAudit } from './audit/audit-log.ts';
import type { BatchStore } from './batches/batch.ts';
import type { ClockRecordStore, makeClockCheck } from './clock-check/clock-check.ts';
import type { NewestDate } from './clock-check/newest-date-queries.ts';
import type { Controllers } from './controllers/controller-of.ts';
import type { SealedTally } from './health/judge-secrets.ts';
import type { IntentId } from './ids.ts';
import type { InstanceStore } from './instances/instance.ts';
import type { FindOutdated } from './instances/known-since.ts';
import type { IssueKey } from './keys/issue-key.ts';
import type { KeyStore } from './keys/key-records.ts';
import type { RateCounter } from './keys/rate-window.ts';
import type { MessageQueue } from './messages/message.ts';
import type { OrderLimit } from './messages/order-limit.ts';
import type { PersonalDataStore } from './privacy/personal-data.ts';
import type { ProfileStore } from './profiles/profile.ts';
import type { RecordLogin } from './sessions/begin-session.ts';
import type { ExternalSessionStore } from './sessions/external-session.ts';
import type { OneTimeFormStore } from './sessions/one-time-forms.ts';
import type { PendingLoginStore } from './sessions/pending-login.ts';
import type { WebSessionStore } from './sessions/web-session.ts';
import type { PublicUrl } from './settings/public-url.ts';
import type { ImageStore, SettingsStore } from './settings/settings.ts';
import type { makeSetup } from './settings/setup.ts';
import type { UntrustedProxyStore } from './settings/untrusted-proxies.ts';
import type { RemoveSite } from './sites/remove-site.ts';
import type { SiteStore } from './sites/site.ts';
import type { SyncStore } from './sites/site-sync.ts';
import type { SlipStore } from './slips/slip.ts';
import type { StockRecords } from './stock/stock-voucher.ts';
import type { FirstAdminStore } from './users/first-admin.ts';
import type { InvitationStore } from './users/invitations.ts';
import type { LoginThrottleStore } from './users/login-throttle.ts';
import type { SecondFactorStore } from './users/second-factor.ts';
import type { UserStore } from './users/user.ts';
import type { BulkRevocationStore } from './vouchers/bulk-revocation.ts';
import type { EndedVoucherStore } from './vouchers/ended-vouchers.ts';
import type { FailedOrderStore, makeFailedOrderNotes } from './vouchers/failed-orders.ts';
import type { HandOverWay } from './vouchers/hand-over-way.ts';
import type { LostVoucherStore } from './vouchers/lost-vouchers.ts';
import type { NextSearch } from './vouchers/next-search.ts';
import type { ReplacedVoucherStore } from './vouchers/replaced-vouchers.ts';
import type { RetentionStore } from './vouchers/retention.ts';
import type { RevocableFinder } from './vouchers/revoke-by-id.ts';
import type { RevocationStore } from './vouchers/revoke-voucher.ts';
import type { VoucherStatistics } from './vouchers/statistics.ts';
import type { UsageStore } from './vouchers/usage-records.ts';
import type { VoucherStore } from './vouchers/voucher-records.ts';
import type { FillNameSortKeys, SearchIndex, VoucherFinder } from './vouchers/voucher-search.ts';

export interface Installation
  extends ReturnType<typeof makeClockCheck>,
    ReturnType<typeof makeFailedOrderNotes>,
    Pick<Controllers, 'controllerOf'> {
  clock: Clock;
  timeout(ms: number): AbortSignal;
  startDeadline: StartDeadline;

  // Vouchers
  vouchers: VoucherStore;
  batches: BatchStore;
  handOverWays: readonly HandOverWay[];
  stockRecords: StockRecords;
  profiles: ProfileStore;
  slips: SlipStore;
  finder: VoucherFinder;
  statistics: VoucherStatistics;
  searchIndex: SearchIndex;
  fillNameSortKeys: FillNameSortKeys;
  lostVouchers: LostVoucherStore;
  endedVouchers: EndedVoucherStore;
  revocations: RevocationStore & RevocableFinder;
  replacedVouchers: ReplacedVoucherStore;
  bulkRevocations: BulkRevocationStore;
  retention: RetentionStore;
  usage: UsageStore;
  failedOrders: FailedOrderStore;
  activeIntents: Set<IntentId>;
  leftIntents: Set<IntentId>;
  nextSearch: NextSearch;

  // Sites and keys
  sites: SiteStore;
  syncs: SyncStore;
  syncIntervalS: number;
  removeSite: RemoveSite;
  keys: KeyStore;
  issueKey: IssueKey;
  rateCounter: RateCounter;

  // Users
  users: UserStore;
  firstAdmin: FirstAdminStore;
  invitations: InvitationStore;
  secondFactors: SecondFactorStore;
  webSessions: WebSessionStore;
  externalSessions: ExternalSessionStore;
  oneTimeForms: OneTimeFormStore;
  loginThrottle: LoginThrottleStore;
  pendingLogins: PendingLoginStore;
  recordLogin: RecordLogin;
  proxyAuthHeader: string | undefined;

  // Settings and the audit log
  settings: SettingsStore;
  images: ImageStore;
  readPublicUrl(): Promise<PublicUrl | undefined>;
  untrustedProxies: UntrustedProxyStore;
  trustedProxies: readonly string[];
  searchAudit: SearchAudit;
  noteAudit: NoteAudit;
  auditedVouchers: AuditedVouchers;
  openPersonalData(): Promise<PersonalDataStore>;

  // Messages
  messages: MessageQueue;
  orderLimit: OrderLimit;
  webhookTargets: TargetRule;

  // The database and the service
  formSeal: TextSeal;
  bindNewValues(): Promise<void>;
  tallySealedValues(): Promise<SealedTally>;
  loadTables(): Promise<TableDeclarations>;
  clockRecords: ClockRecordStore;
  instances: InstanceStore;
  findOutdated: FindOutdated;
  leases: LeaseStore;
  withLease: WithLease;
  backups: BackupRecords;
  backupFailureReports: BackupFailureReports;
  readBacklogs(): Promise<Backlogs>;
  readNewestDate(): Promise<NewestDate | undefined>;
  probeWrite(): Promise<void>;
  tryWrite(): Promise<void>;
  storageErrors: StorageErrors;
  changeStamp: Database['changeStamp'];
  noteArrival: Database['noteArrival'];
  needIntact: Database['needIntact'];
  whenLost: Database['whenLost'];
  readUse(): Promise<{ hasConnection: boolean; hasSession: boolean }>;
  setup: ReturnType<typeof makeSetup>;
  close(): Promise<void>;
}

/** What a feature opens its stores from. */
export interface InstallationParts {
  database: Database;
  seal: Seal;
  config: Config;
}
