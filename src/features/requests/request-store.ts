// The store for guests' requests and the public pages on which guests ask. Each method that writes is one transaction.

import { toActorText } from '../../kernel/audit/actor.ts';
import { siteDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import type { GuestRequestId, SiteId } from '../../kernel/ids.ts';
import { holdSite, selectSiteName } from '../../kernel/sites/site-queries.ts';
import {
  type AccountMails,
  countAccountMails,
  insertAccountMail,
} from '../../kernel/users/account-mail-store.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { UserMail } from '../mail/account-mail.ts';
import { insertIncident } from '../webhooks/incident-queries.ts';
import {
  type GuestRequestStore,
  MAX_REQUEST_MAILS,
  MAX_WAITING,
  MAX_WAITING_AT_KIOSKS,
  MAX_WAITING_OF_NETWORK,
  type NewGuestRequest,
} from './guest-request.ts';
import {
  deletePage,
  insertPage,
  selectPage,
  selectPageHashes,
  selectSiteByToken,
  toTokenColumns,
  updatePage,
} from './request-page-queries.ts';
import {
  countWaiting,
  expireRequests,
  insertRequest,
  selectBadge,
  selectByToken,
  selectNetworkOf,
  selectRequest,
  selectRequests,
  updateDeclined,
} from './request-queries.ts';

const HOUR_MS = 60 * 60_000;

export function makeGuestRequestStore(
  database: Database,
  seal: Seal,
  accountMails: AccountMails<UserMail>,
): GuestRequestStore {
  const { read, write, now } = database;

  return {
    findPage: (siteId) => selectPage(read, seal, siteId),
    findSiteByToken: (tokenHash) => selectSiteByToken(read, tokenHash),
    listPageHashes: () => selectPageHashes(read),

    openPage: (siteId, token, audit) =>
      write(async (transaction) => {
        const columns = await toTokenColumns(transaction, seal, token);
        const known = await selectPage(transaction, seal, siteId);
        if (known?.token !== undefined) return;
        if (known) await updatePage(transaction, siteId, columns);
        else if (!(await insertPage(transaction, siteId, columns))) return;
        const details = siteDetails(siteId, await selectSiteName(transaction, siteId));
        await insertAuditEntry(transaction, { ...audit, action: 'site.requests-on', details });
      }),

    changePage: (siteId, { token, mailTo }, audit) =>
      write(async (transaction) => {
        const columns = token && (await toTokenColumns(transaction, seal, token));
        const change = { ...columns, ...(mailTo !== undefined && { mail_to: mailTo }) };
        if (Object.keys(change).length === 0 || !(await updatePage(transaction, siteId, change)))
          return false;
        const details = siteDetails(siteId, await selectSiteName(transaction, siteId));
        if (token)
          await insertAuditEntry(transaction, { ...audit, action: 'site.requests-renewed', details });
        if (mailTo !== undefined)
          await insertAuditEntry(transaction, { ...audit, action: 'site.requests-mail-changed', details });
        return true;
      }),

    closePage: (siteId, audit) =>
      write(async (transaction) => {
        if (!(await deletePage(transaction, siteId))) return false;
        const details = siteDetails(siteId, await selectSiteName(transaction, siteId));
        await insertAuditEntry(transaction, { ...audit, action: 'site.requests-off', details });
        return true;
      }),

    add: (request, { tokenHash, network }) =>
      write((transaction) => {
        const networkHash = network === undefined ? null : seal.digest(network);
        return addRequest(transaction, { ...request, tokenHash, networkHash });
      }),
    find: (id) => selectRequest(read, now(), { id }),
    findByToken: (tokenHash) => selectRequest(read, now(), { tokenHash }),
    list: (siteIds) => selectRequests(database, siteIds),
    readBadge: ({ id, role }) => selectBadge(read, now(), role === 'admin' ? undefined : id),

    decline: (id, reason, audit) =>
      write((transaction) => declineRequest(transaction, { id, reason, audit })),
    declineNetwork: (id, reason, audit) =>
      write(async (transaction) => {
        let count = 0;
        for (const one of await selectNetworkOf(transaction, id))
          if (await declineRequest(transaction, { id: one, reason, audit })) count++;
        return count;
      }),

    expire: (trustedMs) => write((transaction) => expireRequests(transaction, now(), trustedMs), 'finishes'),
  };

  async function declineRequest(transaction: Handle, { id, reason, audit }: Declined): Promise<boolean> {
    const decidedBy = toActorText(audit.actor);
    const siteId = await updateDeclined(transaction, now(), { id, reason, decidedBy });
    if (siteId === undefined) return false;
    const site = siteDetails(siteId, await selectSiteName(transaction, siteId));
    const details = { ...site, request: String(id) };
    await insertAuditEntry(transaction, { ...audit, action: 'request.declined', details });
    return true;
  }

  async function addRequest(transaction: Handle, request: StoredRequest) {
    const { siteId, tokenHash, networkHash } = request;
    // Sealed before the row of the site is locked: see `Seal`.
    const mail = await sealMail(transaction, siteId);
    // Two requests at the same time must not both take the last place.
    const siteName = await holdSite(transaction, siteId);
    // Read after the lock, so that the mails of all transactions that had it before are in the past.
    const nowMs = await readNow(transaction);
    const known = await selectByToken(transaction, tokenHash);
    if (known) return known.siteId === siteId ? { id: known.id, isNew: false } : undefined;
    const waiting = await countWaiting(transaction, now(), { siteId, networkHash });
    const isFull =
      request.screenId === null
        ? waiting.all - waiting.atKiosks >= MAX_WAITING || waiting.ofNetwork >= MAX_WAITING_OF_NETWORK
        : waiting.atKiosks >= MAX_WAITING_AT_KIOSKS;
    if (isFull) return undefined;
    const id = await insertRequest(transaction, now(), request);
    await notify(transaction, { id, siteId, siteName, waiting: waiting.all + 1, nowMs });
    const lately = { fromMs: nowMs - HOUR_MS, toMs: nowMs };
    if (mail && (await countAccountMails(transaction, mailsOf(siteId), lately)) < MAX_REQUEST_MAILS)
      await insertAccountMail(transaction, { ...mail, occurred_at_ms: nowMs });
    return { id, isNew: true };
  }

  async function readNow(transaction: Handle): Promise<number> {
    const { now_ms } = await transaction.selectNoFrom(now().as('now_ms')).executeTakeFirstOrThrow();
    return Number(now_ms);
  }

  async function sealMail(transaction: Handle, siteId: SiteId) {
    const mailTo = (await selectPage(transaction, seal, siteId))?.mailTo;
    if (!mailTo) return undefined;
    const mail = { kind: 'guest-request' as const, site: await selectSiteName(transaction, siteId) };
    return accountMails.seal(transaction, {
      to: mailTo,
      mail,
      countedAs: mailsOf(siteId),
      occurredAtMs: await readNow(transaction),
    });
  }
}

/** The name under which the mails about requests of a site are counted. */
const mailsOf = (siteId: SiteId) => `requests of site ${siteId}`;

type StoredRequest = NewGuestRequest & { tokenHash: string; networkHash: string | null };

interface Declined {
  id: GuestRequestId;
  reason: string | null;
  audit: AuditContext;
}

interface Asked {
  id: GuestRequestId;
  siteId: SiteId;
  siteName: string;
  waiting: number;
  nowMs: number;
}

/** What the guest has typed is left out: it would stay in the log of deliveries after the request is deleted. */
async function notify(transaction: Handle, { id, siteId, siteName, waiting, nowMs }: Asked): Promise<void> {
  const event = { kind: 'request.created', siteId, requestId: id, waiting } as const;
  await insertIncident(transaction, event, { occurredAtMs: nowMs, siteName });
}
