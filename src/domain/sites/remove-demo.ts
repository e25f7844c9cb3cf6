// Removes a demo site with everything that refers to it, and its vouchers on the simulated controller.

import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';
import type { RemovedRecords, SiteStore } from './site.ts';

/** Undefined, without any change, if the site is active or not a demo. */
export type RemoveDemo = (id: SiteId, audit: AuditContext) => Promise<RemovedRecords | undefined>;

interface Deps {
  sites: Pick<SiteStore, 'removeDemo'>;
  forgetSite: (id: SiteId) => void;
}

export function makeRemoveDemo({ sites, forgetSite }: Deps): RemoveDemo {
  return async function removeDemo(id, audit) {
    const removed = await sites.removeDemo(id, audit);
    if (removed) forgetSite(id);
    return removed;
  };
}
