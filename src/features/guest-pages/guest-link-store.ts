// The store for guest links, which open guest pages.

import { siteDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { GuestLinkStore, LinkedVoucher } from './guest-link.ts';
import {
  deleteEndedLinks,
  deleteLink,
  insertLink,
  isNewHour,
  selectLink,
  selectLinkedVoucher,
  selectTokenHashes,
  updateLink,
  updateOpened,
} from './guest-link-queries.ts';

const HOUR_MS = 60 * 60_000;

export function makeGuestLinkStore(database: Database, seal: Seal): GuestLinkStore {
  return {
    find: (voucherId) => selectLink(database.read, seal, voucherId),
    findVoucher: (tokenHash) => selectLinkedVoucher(database.read, tokenHash),
    listHashes: (maxLinks) => selectTokenHashes(database.read, maxLinks),
    add: (voucher, token, audit) =>
      change(voucher, { ...audit, action: 'voucher.link-made' }, (transaction) =>
        insertLink(transaction, seal, { voucherId: voucher.id, ...token, createdAtMs: audit.atMs }),
      ),
    renew: (voucher, token, audit) =>
      change(voucher, { ...audit, action: 'voucher.link-renewed' }, (transaction) =>
        updateLink(transaction, seal, { voucherId: voucher.id, ...token, createdAtMs: audit.atMs }),
      ),
    remove: (voucher, audit) =>
      change(voucher, { ...audit, action: 'voucher.link-withdrawn' }, (transaction) =>
        deleteLink(transaction, voucher.id),
      ),
    async noteOpened(voucherId, atMs) {
      const hourMs = Math.floor(atMs / HOUR_MS) * HOUR_MS;
      if (await isNewHour(database.read, voucherId, hourMs))
        await database.write((transaction) => updateOpened(transaction, voucherId, hourMs));
    },
    forgetEnded: (beforeS) => database.write((transaction) => deleteEndedLinks(transaction, beforeS)),
  };

  /** The audit entry names the voucher, never the token. */
  function change(
    { id, siteId }: LinkedVoucher,
    entry: AuditContext & { action: 'voucher.link-made' | 'voucher.link-renewed' | 'voucher.link-withdrawn' },
    write: (transaction: Handle) => Promise<boolean>,
  ): Promise<boolean> {
    return database.write(async (transaction) => {
      if (!(await write(transaction))) return false;
      const site = siteDetails(siteId, await selectSiteName(transaction, siteId));
      await insertAuditEntry(transaction, { ...entry, details: { voucher: String(id), ...site } });
      return true;
    });
  }
}
