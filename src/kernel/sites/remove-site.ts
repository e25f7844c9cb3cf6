// Removes a site with everything that belongs to it, and the vouchers of a demo on the simulated controller.

import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';
import type { SiteStore } from './site.ts';
import type { IsAgreed, SiteRemoval } from './site-contents.ts';

export type RemoveSite = (id: SiteId, isAgreed: IsAgreed, audit: AuditContext) => Promise<SiteRemoval>;

interface Deps {
  sites: Pick<SiteStore, 'remove'>;
  forgetSite: (id: SiteId) => void;
}

export function makeRemoveSite({ sites, forgetSite }: Deps): RemoveSite {
  return async function removeSite(id, isAgreed, audit) {
    const removal = await sites.remove(id, isAgreed, audit);
    if (removal.kind === 'removed') forgetSite(id);
    return removal;
  };
}
