// Writes mails to users into the queue, in the transaction of the change that they report.

import { randomUUID } from 'node:crypto';
import { toSealedColumns } from '../../kernel/messages/message-queries.ts';
import { LINK_MAIL_KINDS } from '../../kernel/users/account-mail.ts';
import type { AccountMails } from '../../kernel/users/account-mail-store.ts';
import { isOpen } from '../../kernel/users/invitations.ts';
import type { Database } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';
import type { CancelEndedLinks, UserMail } from './account-mail.ts';
import { ACCOUNT_LANE, MAIL_CHANNEL } from './mail.ts';
import { readMailFacts } from './mail-facts.ts';
import { selectMailServer } from './mail-queries.ts';
import type { MailServer } from './mail-server.ts';

/** @param fromEnvironment the mail server of the environment, which takes precedence over the stored one */
export function makeAccountMails(
  seal: Seal,
  fromEnvironment: Pick<MailServer, 'from'> | undefined,
): AccountMails<UserMail> {
  return {
    async seal(transaction, { to, mail, language, expiresAtMs, countedAs, occurredAtMs }) {
      const sender = fromEnvironment?.from.address ?? (await selectMailServer(transaction))?.from_address;
      if (sender === undefined || !isMailAddress(to)) return undefined;
      const domain = sender.slice(sender.indexOf('@') + 1);
      return toSealedColumns(transaction, seal, {
        channel: MAIL_CHANNEL.name,
        recipientId: ACCOUNT_LANE,
        eventId: randomUUID(),
        kind: mail.kind,
        payload: { domain, ...(language && { language }), ...(expiresAtMs && { expiresAtMs }) },
        sealedPayload: { ...mail, address: to },
        ...(countedAs && { orderedBy: countedAs }),
        occurredAtMs,
      });
    },
  };
}

/** Cancels mails whose link has ended before they could be sent, and deletes their secrets. */
export function makeCancelEndedLinks(database: Database): CancelEndedLinks {
  return (nowMs) =>
    database.write(async (transaction) => {
      const rows = await transaction
        .selectFrom('messages')
        .select(['id', 'payload'])
        .where('channel', '=', MAIL_CHANNEL.name)
        .where('recipient_id', '=', ACCOUNT_LANE)
        .where('state', '=', 'waiting')
        .where('kind', 'in', LINK_MAIL_KINDS)
        .execute();
      const ended = rows.filter(({ payload }) => {
        const expiresAtMs = readMailFacts(readJson(payload))?.expiresAtMs;
        return expiresAtMs !== undefined && !isOpen({ expiresAtMs }, nowMs);
      });
      for (const { id } of ended)
        await transaction
          .updateTable('messages')
          .set({ state: 'cancelled', finished_at_ms: database.now(), sealed_payload: null })
          .where('id', '=', id)
          .where('state', '=', 'waiting')
          .execute();
    });
}
