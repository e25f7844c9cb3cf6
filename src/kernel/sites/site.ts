// A site: a place with guest Wi-Fi, attached to one network controller. Also defines the store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { SiteId } from '../ids.ts';
import type { ControllerConnection } from './controller-connection.ts';
import type { IsAgreed, SiteContents, SiteRemoval } from './site-contents.ts';

export interface Site {
  id: SiteId;
  name: string;
  active: boolean;
  /** `UNKNOWN` if this release cannot read the kind, the credentials or the TLS trust. `connection` is then null. */
  controllerKind: string;
  /** The site's name on its controller. */
  controllerSite: string;
  /** Null for a controller that needs no access data (the built-in simulator). */
  connection: ControllerConnection | null;
  /** The controller's URL if `controllerKind` is unknown. */
  unreadUrl?: string;
  /** Whether vouchers that others created on the controller are listed too. */
  importsForeign: boolean;
  /** The time of day (HH:MM) at which vouchers for nights end. */
  checkOut: string;
  /** Null for the time zone of the service. */
  timeZone: string | null;
  /** Whether guests may open a guest page with their voucher; see `domain/guest-pages/`. */
  hasGuestPage: boolean;
  /** The address for replies to the mails of this site; null for the sender's. */
  replyTo: string | null;
}

export const DEMO_KIND = 'simulator';

/** A site of the built-in simulator: its vouchers open no Wi-Fi. */
export function isDemo({ controllerKind }: Pick<Site, 'controllerKind'>): boolean {
  return controllerKind === DEMO_KIND;
}

/**
 * A site that was moved in from another tool and whose certificate nobody has confirmed yet. It becomes active after
 * the confirmation and a test voucher.
 */
export function isUnconfirmed({ connection }: Pick<Site, 'connection'>): boolean {
  return connection?.trust.kind === 'unconfirmed';
}

type FieldsWithDefault = 'importsForeign' | 'checkOut' | 'timeZone' | 'hasGuestPage' | 'replyTo';

/**
 * By default, foreign vouchers are imported, check-out is at 11:00, the time zone is that of the service, there are no
 * guest pages, and replies go to the sender.
 */
export type NewSite = Omit<Site, 'id' | 'unreadUrl' | FieldsWithDefault> &
  Partial<Pick<Site, FieldsWithDefault>>;
export type SiteChange = Partial<Omit<NewSite, 'controllerKind'>>;

export interface SiteStore {
  findActive(id: SiteId): Promise<Site | undefined>;
  find(id: SiteId): Promise<Site | undefined>;
  /** Sorted by name; numbers in names are sorted by their value. */
  list(): Promise<Site[]>;
  listActive(): Promise<Site[]>;
  add(site: NewSite, audit: AuditContext): Promise<SiteId>;
  /** Adds all sites or, if one cannot be stored, none. The audit log has an entry for each. */
  addAll(sites: NewSite[], audit: AuditContext): Promise<SiteId[]>;
  change(id: SiteId, change: SiteChange, audit: AuditContext): Promise<boolean>;
  /**
   * Whether vouchers, intents, batches, permissions or profiles refer to the site. Such a site can only be deactivated,
   * unless it is a demo.
   */
  hasTraces(id: SiteId): Promise<boolean>;
  /** What would be deleted together with the site. */
  listContents(id: SiteId): Promise<SiteContents>;
  /**
   * Removes an inactive site that is a demo or has no traces, together with its contents, if `isAgreed` accepts them.
   * Vouchers that were made ahead stay on the controller: Gastpass no longer calls the controller of an inactive site.
   */
  remove(id: SiteId, isAgreed: IsAgreed, audit: AuditContext): Promise<SiteRemoval>;
}
