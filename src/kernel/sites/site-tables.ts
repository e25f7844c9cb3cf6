// The tables of sites and of the connections to their controllers.

import type { Generated } from 'kysely';
import type { Declarations } from '../../platform/database/tables/table-declarations.ts';

export interface SiteTables {
  sites: {
    id: Generated<number>;
    name: string;
    active: number;
    controller_kind: string;
    controller_site: string;
    list_version: Generated<number>;
    created_at_ms: number;
    controller_url: string | null;
    /** Sealed JSON. */
    sealed_credentials: string | null;
    /** `ca`, `insecure`, `pinned:<fingerprint>`, or `unconfirmed` for a site that was moved in. */
    tls_trust: Generated<string>;
    imports_foreign: Generated<number>;
    /** HH:MM. */
    check_out: Generated<string>;
    /** Null for the time zone of the service. */
    time_zone: Generated<string | null>;
    guest_page: Generated<number>;
    /** The address for replies to mails. */
    reply_to: Generated<string | null>;
  };
  /** One row for each change that is not added to `list_version` yet. */
  list_changes: { id: Generated<number>; site_id: number };
  site_syncs: {
    site_id: number;
    synced_at_ms: number | null;
    failed_at_ms: number | null;
    error: string | null;
    cause: string | null;
    failing_since_ms: number | null;
    /** The start of the reported outage; null while the site has no reported outage. */
    outage_since_ms: Generated<number | null>;
    /** 1 once a changed certificate was reported, until the next successful sync. */
    certificate_reported: Generated<number>;
    /** When the last successful sync began. A use that is older than this is known. */
    began_at_ms: Generated<number | null>;
  };
  controller_sessions: { address: string; sealed_session: string };
}

export const tables = {
  sites: {
    key: ['id'],
    personal: {
      name: 'kept',
      controller_kind: 'other',
      controller_site: 'other',
      controller_url: 'other',
      tls_trust: 'other',
      check_out: 'other',
      time_zone: 'other',
      reply_to: 'kept',
    },
    sealed: { sealed_credentials: { key: 'id' } },
  },
  list_changes: { key: ['id'], personal: {} },
  site_syncs: { key: ['site_id'], personal: { error: 'erased', cause: 'other' } },
  controller_sessions: {
    key: ['address'],
    copied: 'by-move',
    personal: { address: 'other' },
    sealed: { sealed_session: { key: 'address', replaceable: 'row' } },
  },
} satisfies Declarations<SiteTables>;

declare module '../../platform/database/schema.ts' {
  interface Tables extends SiteTables {}
}
