// A finding about an installation: its state and the fact behind it. The texts are in `i18n/`: the page "System health"
// shows them in the reader's language, and `doctor` and `verify` print them in English.

import type { CheckedFilePages } from '../../platform/database/sqlite/find-damage.ts';
import type { StorageErrorReason } from '../../platform/database/tally-storage-errors.ts';
import type { FailureCause } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import type { PublicUrl } from '../settings/public-url.ts';

type FindingState = 'ok' | 'warning' | 'fault';

export interface Finding<Fact = HealthFact> {
  state: FindingState;
  fact: Fact;
}

interface OfSite {
  siteId: SiteId;
  site: string;
}

/**
 * The clocks with which this machine's clock was compared: those of the controllers of `sites` and, if `isDatabase`,
 * the clock of the database.
 */
interface OtherClocks {
  sites: string[];
  isDatabase: boolean;
}

/** Facts by kind. A feature extends it by its own. */
export interface HealthFacts {
  /** `part`: what was to be examined, in English. */
  'not-examined': { part: string; detail: string };
}

type FactByKind<Kind extends keyof HealthFacts = keyof HealthFacts> = {
  [Each in Kind]: { kind: Each } & HealthFacts[Each];
}[Kind];

export type KernelFact =
  | { kind: 'node-ok'; version: string }
  | {
      kind: 'folder-ok' | 'folder-open' | 'folder-missing' | 'folder-is-file' | 'folder-read-only';
      path: string;
    }
  /** `path` may be a file in the folder. */
  | { kind: 'folder-locked' | 'backups-locked'; path: string; code: string }
  | { kind: 'setting-unknown'; name: string; meant?: string | undefined }
  | { kind: 'disk-ok' | 'disk-low' | 'disk-full'; path: string; freeMb: number; percent: number }
  /** `path`: the file of the secret; undefined if the secret is a setting. */
  | { kind: 'secret-ok'; path: string | undefined }
  | { kind: 'secret-previous-needed'; count: number }
  | { kind: 'secret-previous-unneeded' }
  | { kind: 'secret-weak'; setting: string }
  | {
      kind: 'file-readable' | 'file-of-other-user';
      file: 'secret' | 'database';
      path: string;
      folder: string;
    }
  | { kind: 'sealed-broken'; detail: string }
  | { kind: 'sealed-unbound'; count: number }
  | { kind: 'database-ok'; pages: CheckedFilePages }
  | { kind: 'database-unwritable'; detail: string }
  | { kind: 'database-disk'; reason: StorageErrorReason; detail?: string }
  | { kind: 'postgresql-ok' | 'postgresql-owner'; version: string; role: string }
  | { kind: 'postgresql-old'; version: string; minVersion: number }
  | { kind: 'postgresql-encoding'; encoding: string }
  | { kind: 'postgresql-rights'; role: string; schema: string; tables: string[] }
  | { kind: 'postgresql-later-rights'; role: string; schema: string; owner: string }
  | { kind: 'service-ok'; version: string }
  | ({ kind: 'address-ok' | 'address-plain' } & PublicUrl)
  | { kind: 'address-silent'; url: string; detail: string }
  | { kind: 'address-redirected'; url: string; to: string }
  | { kind: 'address-of-other'; url: string; status: number; path: string }
  | { kind: 'address-certificate-expired'; url: string; endsAtMs: number }
  /** `error`: a code of OpenSSL or Node. */
  | { kind: 'address-certificate-refused'; url: string; error: string }
  | { kind: 'address-certificate-ending'; url: string; endsAtMs: number; days: number }
  | { kind: 'proxy-untrusted'; ip: string; proxies: string }
  | ({ kind: 'clock-ok'; nowMs: number } & OtherClocks)
  | { kind: 'clock-was-ahead' | 'clock-set-back'; nowMs: number; untilMs: number }
  | { kind: 'clock-not-compared'; sites: string[] }
  /**
   * `aheadMs`: how far the other clocks, which agree, are ahead of this machine's clock; negative if they are behind.
   */
  | ({ kind: 'clock-off'; nowMs: number; aheadMs: number } & OtherClocks)
  | { kind: 'clock-behind-record'; nowMs: number; aheadMs: number }
  | { kind: 'clock-doubted'; nowMs: number; heartbeatMs: number; untilTrustedMs: number }
  | { kind: 'retention-held-back' }
  | { kind: 'ended-vouchers-held-back' }
  | { kind: 'zone-ok'; zone: string }
  | { kind: 'zone-other'; zone: string; machine: string }
  | { kind: 'sites-none' }
  | ({ kind: 'site-ok'; version?: string | undefined } & OfSite)
  | ({ kind: 'site-inactive'; isUnconfirmed: boolean } & OfSite)
  | ({
      kind: 'site-failing';
      cause: FailureCause | null;
      detail: string;
      controllerKind: string;
    } & OfSite)
  | ({ kind: 'site-zone-unknown'; zone: string } & OfSite)
  | ({ kind: 'certificate-insecure' } & OfSite)
  | ({ kind: 'certificate-ok' | 'certificate-expired'; endsAtMs: number; isPinned: boolean } & OfSite)
  | ({ kind: 'certificate-ending'; endsAtMs: number; days: number; isPinned: boolean } & OfSite)
  | ({ kind: 'sync-never' } & OfSite)
  | ({ kind: 'sync-ok' | 'sync-future'; atMs: number } & OfSite)
  | ({ kind: 'sync-stale'; atMs: number | null } & OfSite)
  | ({ kind: 'sync-failing'; atMs: number | null; detail: string } & OfSite)
  | ({ kind: 'vouchers-lost'; count: number; noticedAtMs: number } & OfSite)
  | { kind: 'admins-ok'; count: number }
  | { kind: 'admins-none' }
  | { kind: 'addresses-not-plain'; emails: string[] }
  /** `keys`: the names, that of the key that ends first at the beginning. */
  | { kind: 'keys-ending'; keys: string[]; firstAtMs: number }
  | { kind: 'intents-ok' | 'intents-overdue'; count: number }
  | { kind: 'backups-off' | 'backups-missing' | 'backups-without-secret' }
  | {
      kind: 'backups-no-folder' | 'backups-read-only' | 'backups-none' | 'backups-on-same-disk';
      folder: string;
    }
  | { kind: 'backup-changed' | 'backup-unread'; path: string }
  | { kind: 'backups-ok' | 'backups-late' | 'backups-future'; newestAtMs: number; path: string }
  | { kind: 'instances-ok'; count: number; release: string }
  | { kind: 'instances-differ'; instances: string[] }
  | FactByKind<'not-examined'>;

export type HealthFact = KernelFact | FactByKind;

/** What was found on the service's port instead of the service. */
export type OtherResponder = 'nothing' | 'another program';

type ServiceFact =
  | { kind: 'node-installed'; version: string }
  | { kind: 'not-opened'; what: 'secret' | 'database' | 'database and secret'; detail: string }
  | { kind: 'database-damaged'; path: string; detail: string }
  | { kind: 'service-running'; url: string; version: string }
  | { kind: 'service-on-free-port' | 'service-not-asked' }
  | { kind: 'service-of-sqlite'; folder: string }
  | { kind: 'service-silent'; url: string }
  | { kind: 'service-elsewhere'; url: string; responder: OtherResponder }
  | { kind: 'service-stopped' }
  | { kind: 'service-stopped-port-taken' | 'service-of-other-folder'; url: string }
  /** Reported only on PostgreSQL, where an instance is known to run only if it answers on its port. */
  | { kind: 'instance-away'; url: string; port: number; responder: OtherResponder }
  | { kind: 'service-outdated'; url: string; version: string | undefined; installed: string }
  | {
      kind: 'service-not-ready';
      url: string;
      obstacles: string;
      reason: StorageErrorReason | undefined;
      isPassing: boolean;
    };

/** Values that the server does not report are undefined. */
type ChecklistFact =
  | { kind: 'connection-failed'; detail: string; isExplained: boolean }
  | {
      kind: 'connection-ok' | 'connection-plain' | 'connection-slow';
      isEncrypted: boolean;
      hasPooler: boolean;
      roundTripMs: number;
    }
  | { kind: 'primary-ok' | 'primary-standby' | 'primary-read-only' }
  | { kind: 'schema-missing'; role: string }
  | { kind: 'product-untested'; product: string }
  | { kind: 'collation-ok'; name: string }
  | { kind: 'collation-changed'; name: string; recorded: string | null; actual: string | null }
  | { kind: 'isolation-ok'; level: string | undefined }
  | { kind: 'isolation-other'; level: string }
  | { kind: 'transactions-ok' | 'locks-ok' | 'statement-timeout-ok' | 'statement-timeout-ignored' }
  | { kind: 'transactions-failed' | 'locks-failed'; detail: string }
  | { kind: 'timeouts-ok' }
  | {
      kind: 'timeouts-short';
      short: { name: string; ms: number }[];
      leastMs: number;
      transactionMs: number | undefined;
    }
  | { kind: 'durability-ok'; synchronousCommit: string | undefined }
  | { kind: 'fsync-off' | 'commit-off' | 'page-writes-off' }
  | { kind: 'standbys-none' | 'standbys-awaited' | 'standbys-skipped' | 'standbys-not-awaited' }
  | { kind: 'room-untold' }
  | {
      kind: 'room-ok' | 'room-missing' | 'room-tight';
      room: number;
      used: number;
      poolSize: number;
      spare: number;
    }
  | { kind: 'tables-ok' | 'tables-creatable' }
  | { kind: 'file-ok'; pages: CheckedFilePages }
  | { kind: 'file-system-ok' }
  | { kind: 'file-system-lost' | 'file-system-unsafe' | 'file-system-doubtful'; name: string; folder: string }
  | { kind: 'journal-ok'; version: string }
  | { kind: 'journal-other'; mode: string; folder: string }
  | { kind: 'size-ok' | 'journal-large'; bytes: number; journalBytes: number };

type VerifyFact =
  | { kind: 'rows-ok'; rows: number }
  | { kind: 'rows-defect' | 'rows-unreadable'; detail: string }
  | { kind: 'sealed-ok'; count: number }
  | ({ kind: 'vouchers-not-compared'; detail: string } & OfSite)
  | ({ kind: 'vouchers-agree'; count: number } & OfSite)
  | ({ kind: 'vouchers-missing'; ids: number[]; found: 'some' | 'none' | 'none of ours' } & OfSite)
  | ({ kind: 'stock-missing'; count: number } & OfSite)
  | ({ kind: 'vouchers-unrecorded'; names: string[]; isImported: boolean } & OfSite);

/**
 * Facts that only commands report: `doctor` (what the service cannot examine from inside), `doctor --database` and
 * `verify`. Commands print English, so these facts have no texts in other languages.
 */
export type TerminalFact = ServiceFact | ChecklistFact | VerifyFact;
export type AnyFact = HealthFact | TerminalFact;
export type AnyFinding = Finding<AnyFact>;
export type TerminalFinding = Finding<TerminalFact>;

const makeFinding =
  (state: FindingState) =>
  <Fact extends AnyFact>(fact: Fact): Finding<Fact> => ({ state, fact });

export const passed = makeFinding('ok');
export const warning = makeFinding('warning');
export const fault = makeFinding('fault');

/** The fact that has this kind. `Extract` does not find it if its `kind` is a union of several kinds. */
export type FactOf<Kind, Fact = HealthFact> = Fact extends { kind: unknown }
  ? Kind extends Fact['kind']
    ? Fact
    : never
  : never;

export type ExamineHealth = () => Promise<Finding[]>;
