// The store for mails. Each method that writes is one transaction.

import { sql } from 'kysely';
import { siteDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import { asMessageId, asVoucherId, type MessageId, type VoucherId } from '../../kernel/ids.ts';
import { selectLastAttempts } from '../../kernel/messages/attempt-queries.ts';
import { toSealedColumns } from '../../kernel/messages/message-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { maskMailAddress } from '../../platform/text/mail-address.ts';
import { MAIL_CHANNEL, type MailStore } from './mail.ts';
import { readSealedMailFacts } from './mail-facts.ts';
import { countUnreadMails, selectAddress, selectMails, selectNewestMails } from './mail-log-queries.ts';
import { endServerPause, MAIL_SERVER, makeServerDue } from './mail-recipient-queries.ts';
import { takeMailSlot } from './slot-queries.ts';

export function makeMailStore(database: Database, seal: Seal): MailStore {
  const { read, write, listOf, now } = database;
  const reading = { read, listOf, seal };
  return {
    add: ({ voucherId, ...mail }, audit) =>
      write(async (transaction) => {
        const columns = await toSealedColumns(transaction, seal, { ...mail, channel: MAIL_CHANNEL.name });
        const { id } = await transaction
          .insertInto('messages')
          .values({ ...columns, state: 'waiting', voucher_id: voucherId })
          .returning('id')
          .executeTakeFirstOrThrow();
        const address = readSealedMailFacts(mail.sealedPayload)?.address ?? '';
        await noteMail(transaction, 'voucher.mailed', { voucherId, address, audit });
        return asMessageId(id);
      }),
    search: (search) => selectMails(reading, search),
    newestOf: (voucherIds) => selectNewestMails(reading, voucherIds),
    listAttempts: (id) => selectLastAttempts(read, MAIL_CHANNEL, id),
    findAddress: (id) => selectAddress(read, seal, id),
    retry: (id, audit) =>
      write(async (transaction) => {
        const address = (await selectAddress(transaction, seal, id)) ?? '';
        const voucherId = await requeueMail(transaction, id);
        if (voucherId === undefined) return false;
        await makeServerDue(transaction);
        await noteMail(transaction, 'voucher.mail-resent', { voucherId, address, audit });
        return true;
      }),
    markRead: (ids, atMs) =>
      write(async (transaction) => {
        await transaction
          .updateTable('messages')
          .set({ seen_at_ms: atMs })
          .where(sql<boolean>`id in ${listOf(ids)} and channel || '' = 'mail'`)
          .where('state', '=', 'failed')
          .where('seen_at_ms', 'is', null)
          .execute();
      }),
    countUnread: (siteIds) => countUnreadMails(reading, siteIds),
    takeSlot: (perHour) => write((transaction) => takeMailSlot(transaction, perHour, now())),
    readServerState: () => selectServerState(read),
    endPause: () => write(endServerPause),
  };
}

/** Returns the voucher of the mail. Undefined if it has none, or if it is neither failed nor waiting. */
async function requeueMail(transaction: Handle, id: MessageId): Promise<VoucherId | undefined> {
  const row = await transaction
    .updateTable('messages')
    .set((eb) => ({
      state: 'waiting',
      attempts: eb.case().when('state', '=', 'failed').then(0).else(eb.ref('attempts')).end(),
      due_at_ms: 0,
      finished_at_ms: null,
      seen_at_ms: null,
    }))
    .where('id', '=', id)
    .where(sql<boolean>`channel || '' = ${MAIL_CHANNEL.name}`)
    .where('voucher_id', 'is not', null)
    .where('state', 'in', ['waiting', 'failed'])
    .returning('voucher_id')
    .executeTakeFirst();
  return row?.voucher_id == null ? undefined : asVoucherId(row.voucher_id);
}

interface Noted {
  voucherId: VoucherId;
  address: string;
  audit: AuditContext;
}

async function noteMail(
  transaction: Handle,
  action: 'voucher.mailed' | 'voucher.mail-resent',
  { voucherId, address, audit }: Noted,
): Promise<void> {
  const site = await transaction
    .selectFrom('vouchers')
    .innerJoin('sites', 'sites.id', 'vouchers.site_id')
    .select(['sites.id', 'sites.name'])
    .where('vouchers.id', '=', voucherId)
    .executeTakeFirstOrThrow();
  const details = {
    voucher: String(voucherId),
    ...siteDetails(site.id, site.name),
    name: maskMailAddress(address),
  };
  await insertAuditEntry(transaction, { ...audit, action, details });
}

async function selectServerState(handle: Handle) {
  const row = await handle
    .selectFrom('message_recipients')
    .select(['failures', 'due_at_ms'])
    .where('channel', '=', MAIL_SERVER.channel)
    .where('recipient_id', '=', MAIL_SERVER.recipient_id)
    .executeTakeFirst();
  if (!row || row.failures === 0) return { failures: 0, dueAtMs: 0, lastError: null };
  const last = await handle
    .selectFrom('message_attempts')
    .innerJoin('messages', 'messages.id', 'message_attempts.message_id')
    .select('error')
    .where(sql<boolean>`messages.channel || '' = ${MAIL_CHANNEL.name}`)
    .orderBy('message_attempts.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { failures: row.failures, dueAtMs: row.due_at_ms, lastError: last?.error ?? null };
}
