// A site: a place with guest Wi-Fi, tied to one network controller. And what is needed of its store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';
import type { ControllerAccess } from './controller-access.ts';

export interface Site {
  id: SiteId;
  name: string;
  active: boolean;
  controllerKind: string;
  /** The site's own name on its controller. */
  controllerSite: string;
  /** Null for a controller that needs none (the built-in simulator). */
  access: ControllerAccess | null;
  /** Whether vouchers that others made on the controller are listed too. */
  importsForeign: boolean;
}

/** Without a word about it, foreign vouchers are imported. */
export type NewSite = Omit<Site, 'id' | 'importsForeign'> & Partial<Pick<Site, 'importsForeign'>>;
export type SiteChange = Partial<Omit<NewSite, 'controllerKind'>>;

export interface SiteStore {
  findActive(id: SiteId): Promise<Site | undefined>;
  find(id: SiteId): Promise<Site | undefined>;
  /** By name, as people look for them. */
  list(): Promise<Site[]>;
  listActive(): Promise<Site[]>;
  add(site: NewSite, audit: AuditContext): Promise<SiteId>;
  change(id: SiteId, change: SiteChange, audit: AuditContext): Promise<boolean>;
  /** Whether there are vouchers, batches, permissions or profiles of it. Then it can only be switched off. */
  hasTraces(id: SiteId): Promise<boolean>;
  /** False, and nothing happened, for one that is active or has traces. */
  remove(id: SiteId, audit: AuditContext): Promise<boolean>;
}
