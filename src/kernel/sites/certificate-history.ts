// When the certificate of a site's controller was confirmed, and since when the controller has shown another one.

import type { SearchAudit } from '../audit/audit-log.ts';
import { isCertificateCause } from '../controllers/controller.ts';
import type { SiteId } from '../ids.ts';
import { isFailing, type SyncStore } from './site-sync.ts';

const ENTRIES_AT_ONCE = 1_000;

export interface CertificateHistory {
  /** Undefined if the audit log no longer contains the confirmation. */
  confirmedAtMs?: number;
  /** Undefined if no sync has noticed another certificate. */
  noticedAtMs?: number;
}

export type FindCertificateHistory = (siteId: SiteId) => Promise<CertificateHistory>;

interface Deps {
  searchAudit: SearchAudit;
  syncs: Pick<SyncStore, 'list'>;
}

export function makeFindCertificateHistory({ searchAudit, syncs }: Deps): FindCertificateHistory {
  return async function findCertificateHistory(siteId) {
    const sync = (await syncs.list()).get(siteId);
    const noticedAtMs =
      sync && isFailing(sync) && isCertificateCause(sync.cause) ? sync.failingSinceMs : null;
    const confirmedAtMs = await findConfirmation(siteId);
    return {
      ...(confirmedAtMs !== undefined && { confirmedAtMs }),
      ...(noticedAtMs !== null && { noticedAtMs }),
    };
  };

  /** Finds when the access to the controller was last saved: saving the access confirms the certificate. */
  async function findConfirmation(siteId: SiteId): Promise<number | undefined> {
    let beforeId: number | null | undefined;
    while (beforeId !== null) {
      const search = { siteId, action: 'site.', limit: ENTRIES_AT_ONCE };
      const chunk = await searchAudit({ ...search, ...(beforeId !== undefined && { beforeId }) });
      const found = chunk.entries.find(
        ({ action, details }) =>
          action === 'site.added' ||
          action === 'site.certificate-confirmed' ||
          details?.fields?.includes('access'),
      );
      if (found) return found.atMs;
      beforeId = chunk.nextBeforeId;
    }
    return undefined;
  }
}
