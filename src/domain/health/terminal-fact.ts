// Facts that only commands report: `doctor` about what the service cannot examine from inside, `doctor --database`, and
// `verify`. Commands print English, so these facts have no texts in other languages.

import type { SiteId } from '../ids.ts';
import type { CheckedPages, Finding, HealthFact } from './finding.ts';
import type { StorageErrorReason } from './storage-errors.ts';

/** Who answers on the port of the service instead of it. */
export type OtherAnswer = 'nothing' | 'another program';

type ServiceFact =
  | { kind: 'node-installed'; version: string }
  | { kind: 'not-opened'; what: 'secret' | 'database' | 'database and secret'; detail: string }
  | { kind: 'database-damaged'; path: string; detail: string }
  | { kind: 'service-running'; url: string; version: string }
  | { kind: 'service-on-free-port' | 'service-not-asked' }
  | { kind: 'service-of-sqlite'; folder: string }
  | { kind: 'service-silent'; url: string }
  | { kind: 'service-elsewhere'; url: string; answer: OtherAnswer }
  | { kind: 'service-stopped' }
  | { kind: 'service-stopped-port-taken' | 'service-of-other-folder'; url: string }
  /** On PostgreSQL, where only the port tells whether this instance runs. */
  | { kind: 'instance-away'; url: string; port: number; answer: OtherAnswer }
  | { kind: 'service-outdated'; url: string; version: string | undefined; installed: string }
  | {
      kind: 'service-not-ready';
      url: string;
      obstacles: string;
      reason: StorageErrorReason | undefined;
      isPassing: boolean;
    };

/** What the server does not tell is undefined. */
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
  | { kind: 'file-ok'; pages: CheckedPages }
  | { kind: 'file-system-ok' }
  | { kind: 'file-system-lost' | 'file-system-unsafe' | 'file-system-doubtful'; name: string; folder: string }
  | { kind: 'journal-ok'; version: string }
  | { kind: 'journal-other'; mode: string; folder: string }
  | { kind: 'sync-to-disk-ok' }
  | { kind: 'sync-to-disk-other'; synchronous: number; expected: number }
  | { kind: 'size-ok' | 'journal-large'; bytes: number; journalBytes: number };

type OfSite = { siteId: SiteId; site: string };

type VerifyFact =
  | { kind: 'rows-ok'; rows: number }
  | { kind: 'rows-defect' | 'rows-unreadable'; detail: string }
  | { kind: 'sealed-ok'; count: number }
  | ({ kind: 'vouchers-not-compared'; detail: string } & OfSite)
  | ({ kind: 'vouchers-agree'; count: number } & OfSite)
  | ({ kind: 'vouchers-missing'; ids: number[]; found: 'some' | 'none' | 'none of ours' } & OfSite)
  | ({ kind: 'vouchers-unrecorded'; names: string[]; isImported: boolean } & OfSite);

export type TerminalFact = ServiceFact | ChecklistFact | VerifyFact;
export type AnyFact = HealthFact | TerminalFact;
export type AnyFinding = Finding<AnyFact>;
