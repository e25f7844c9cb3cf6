// A finding about an installation: what was examined, its state, and for a warning or a fault what to do. `doctor` prints
// the English text; pages put the fact into the words of the reader's language.

import type { FailureCause } from '../controller.ts';
import type { SiteId, WebhookId } from '../ids.ts';
import type { StorageErrorReason } from './storage-errors.ts';

export type FindingState = 'ok' | 'warning' | 'fault';

export interface Finding {
  state: FindingState;
  about: string;
  text: string;
  /** Absent if only the English text exists. */
  fact?: HealthFact;
}

interface OfSite {
  siteId: SiteId;
  site: string;
}

interface OfWebhook {
  webhookId: WebhookId;
  webhook: string;
}

export type HealthFact =
  | { kind: 'node-ok'; version: string }
  | {
      kind: 'folder-ok' | 'folder-open' | 'folder-missing' | 'folder-locked' | 'folder-read-only';
      path: string;
    }
  | { kind: 'setting-unknown'; name: string; meant?: string | undefined }
  | { kind: 'disk-ok' | 'disk-low' | 'disk-full'; path: string; freeMb: number; percent: number }
  | { kind: 'secret-ok'; source: 'file' | 'setting' }
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
  | { kind: 'database-ok' | 'database-unwritable' }
  | { kind: 'database-disk'; reason: StorageErrorReason }
  | { kind: 'postgresql-ok' | 'postgresql-owner' | 'postgresql-old'; version: string }
  | { kind: 'postgresql-encoding'; encoding: string }
  | { kind: 'postgresql-rights'; role: string; schema: string; tables: string[] }
  | { kind: 'postgresql-later-rights'; role: string; schema: string; owner: string }
  | { kind: 'service-ok'; version: string }
  | { kind: 'address-ok' | 'address-plain'; url: string }
  | { kind: 'proxy-untrusted'; ip: string; setting: string }
  | { kind: 'clock-ok'; comparedWith: number }
  | { kind: 'clock-was-ahead'; untilMs: number }
  /** `aheadMs`: how far the other clocks are ahead of this machine's clock; negative if they are behind. They agree. */
  | { kind: 'clock-off'; aheadMs: number; sites: string[]; isDatabase: boolean }
  | { kind: 'clock-behind-record'; aheadMs: number }
  | { kind: 'clock-doubted'; nowMs: number; heartbeatMs: number; untilTrustedMs: number }
  | { kind: 'retention-held-back' }
  | { kind: 'zone-ok'; zone: string }
  | { kind: 'zone-other'; zone: string; machine: string }
  | { kind: 'sites-none' }
  | ({ kind: 'site-ok'; version?: string | undefined } & OfSite)
  | ({ kind: 'site-inactive' } & OfSite)
  | ({ kind: 'site-failing'; cause: FailureCause | null; detail: string } & OfSite)
  | ({ kind: 'certificate-insecure' } & OfSite)
  | ({ kind: 'certificate-ok' | 'certificate-expired'; endsAtMs: number; isPinned: boolean } & OfSite)
  | ({ kind: 'certificate-ending'; endsAtMs: number; days: number; isPinned: boolean } & OfSite)
  | ({ kind: 'sync-never' } & OfSite)
  | ({ kind: 'sync-ok' | 'sync-future'; atMs: number } & OfSite)
  | ({ kind: 'sync-stale' | 'sync-failing'; atMs: number | null } & OfSite)
  | { kind: 'admins-ok'; count: number }
  | { kind: 'admins-none' }
  | { kind: 'addresses-not-plain'; emails: string[] }
  | { kind: 'intents-ok' | 'intents-overdue'; count: number }
  | ({ kind: 'webhook-ok' | 'webhook-inactive' | 'webhook-off' | 'webhook-not-known' } & OfWebhook)
  | ({ kind: 'webhook-failing'; failures: number; detail: string } & OfWebhook)
  | { kind: 'deliveries-late'; count: number; oldestMs: number }
  | { kind: 'backups-off' | 'backups-missing' | 'backups-without-secret' }
  | { kind: 'backups-no-folder' | 'backups-read-only' | 'backups-none'; folder: string }
  | { kind: 'backup-changed' | 'backup-unread'; path: string }
  | { kind: 'backups-ok' | 'backups-late' | 'backups-future'; newestAtMs: number }
  | { kind: 'instances-ok'; count: number; release: string }
  | { kind: 'instances-differ'; instances: string[] }
  | { kind: 'not-examined'; detail: string };

export type FactKind = HealthFact['kind'];
/** Several kinds can share one shape, so `Extract` would not find it. */
type ShapeOf<Fact, Kind> = Fact extends HealthFact ? (Kind extends Fact['kind'] ? Fact : never) : never;
export type FactOf<Kind extends FactKind> = ShapeOf<HealthFact, Kind>;

export type ExamineHealth = () => Promise<Finding[]>;
