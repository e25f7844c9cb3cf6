// Queues mails to users, in the transaction of the change that they report.

import type { Handle } from '../../platform/database/database.ts';
import type { toSealedColumns } from '../messages/message-queries.ts';
import type { AccountMail, NewAccountMail } from './account-mail.ts';

type SealedMail = Awaited<ReturnType<typeof toSealedColumns>>;

export interface AccountMails<Mail = AccountMail> {
  /**
   * Undefined if e-mail is not set up, or if no mail can be sent to the address. Call it before changing an existing
   * row: see `Seal`.
   */
  seal(transaction: Handle, mail: NewAccountMail<Mail>): Promise<SealedMail | undefined>;
}

/** Queues the mail. Does nothing if there is none. */
export async function insertAccountMail(handle: Handle, mail: SealedMail | undefined): Promise<void> {
  if (mail)
    await handle
      .insertInto('messages')
      .values({ ...mail, state: 'waiting' })
      .execute();
}

/** Mails with a time in the future are not counted: the clock was set back since they were written. */
export async function countAccountMails(
  handle: Handle,
  countedAs: string,
  { fromMs, toMs }: { fromMs: number; toMs: number },
): Promise<number> {
  const row = await handle
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('ordered_by', '=', countedAs)
    .where('occurred_at_ms', '>', fromMs)
    .where('occurred_at_ms', '<=', toMs)
    .executeTakeFirstOrThrow();
  return row.count;
}
