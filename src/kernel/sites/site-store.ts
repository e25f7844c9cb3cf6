// The store for sites.

import { makeCachedRead } from '../../platform/database/cached-read.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { changedFields, siteDetails } from '../audit/audit-details.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import type { ControllerKind } from '../controllers/controller-kind.ts';
import type { SiteId } from '../ids.ts';
import { findConfirmedCertificate, withoutCertificate } from './confirmed-certificate.ts';
import { hideUnknownKind } from './connection-columns.ts';
import type { NewSite, Site, SiteChange, SiteStore } from './site.ts';
import { hasTraces, insertSite, selectSite, selectSites, updateSite } from './site-queries.ts';

export function makeSiteStore(
  database: Database,
  sealing: Seal,
  kinds: readonly ControllerKind[],
): SiteStore {
  const seal = openOnce(sealing);
  const { read: readAll } = makeCachedRead(database, async (_: 'all') =>
    (await selectSites(database.read, seal)).map((site) => hideUnknownKind(site, kinds)),
  );
  // A copy, so that a caller who sorts it does not change what is cached.
  const list = async () => [...(await readAll('all'))];
  const { read: find } = makeCachedRead(database, async (id: Parameters<SiteStore['find']>[0]) => {
    const site = await selectSite(database.read, seal, id);
    return site && hideUnknownKind(site, kinds);
  });
  async function add(transaction: Handle, site: NewSite, audit: AuditContext): Promise<SiteId> {
    const id = await insertSite(transaction, seal, { ...site, createdAtMs: audit.atMs });
    const details = siteDetails(id, site.name);
    await insertAuditEntry(transaction, { ...audit, action: 'site.added', details });
    return id;
  }
  return {
    find,
    findActive: async (id) => {
      const site = await find(id);
      return site?.active ? site : undefined;
    },
    list,
    listActive: async () => (await list()).filter((site) => site.active),
    add: (site, audit) => database.write((transaction) => add(transaction, site, audit)),
    addAll: (all, audit) =>
      database.write(async (transaction) => {
        const ids: SiteId[] = [];
        for (const site of all) ids.push(await add(transaction, site, audit));
        return ids;
      }),
    change: (id, change, audit) =>
      database.write(async (transaction) => {
        const before = change.connection ? await selectSite(transaction, seal, id) : undefined;
        const name = await updateSite(transaction, seal, { id, change });
        if (name === undefined) return false;
        await auditChange(transaction, { before, change, named: siteDetails(id, name), audit });
        return true;
      }),
    hasTraces: (id) => hasTraces(database.read, id),
    // Loaded when needed: few services ever remove a site.
    listContents: async (id) => (await import('./contents-queries.ts')).selectContents(database.read, id),
    remove: async (id, isAgreed, audit) =>
      (await import('./site-removal-store.ts')).removeSite(database, id, isAgreed, audit),
  };
}

interface AuditedChange {
  /** The site before the change. Undefined if the change leaves the access to the controller alone. */
  before: Site | undefined;
  change: SiteChange;
  named: ReturnType<typeof siteDetails>;
  audit: AuditContext;
}

/** Writes an entry of its own for a new certificate, and an entry for everything else that was changed. */
async function auditChange(transaction: Handle, { before, change, named, audit }: AuditedChange) {
  const changes = findConfirmedCertificate(before, change);
  const fields = changedFields(before && changes ? withoutCertificate(before, change) : change);
  if (changes) {
    const details = { ...named, changes };
    await insertAuditEntry(transaction, { ...audit, action: 'site.certificate-confirmed', details });
  }
  if (!changes || fields.length > 0) {
    const details = { ...named, fields };
    await insertAuditEntry(transaction, { ...audit, action: 'site.changed', details });
  }
}

/**
 * Decrypts the credentials of a site again only if they have changed. Every creation reads its site, and decrypting
 * takes longer than reading.
 */
function openOnce(seal: Seal): Seal {
  const opened = new Map<SealedPlace['row'], { sealed: string; plain: string }>();
  return {
    ...seal,
    open(sealed, place) {
      const known = opened.get(place.row);
      if (known?.sealed === sealed) return known.plain;
      const plain = seal.open(sealed, place);
      opened.set(place.row, { sealed, plain });
      return plain;
    },
  };
}
