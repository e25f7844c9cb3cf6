// Sends the mail of a voucher again. A mail that was not sent yet is repeated with its Message-ID. A mail that was sent
// gets a successor with another Message-ID, because mail programs hide a second mail with the same one.

import type { MessageId } from '../../kernel/ids.ts';
import type { VoucherFinder } from '../../kernel/vouchers/voucher-search.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { LoggedMail, MailStore } from './mail.ts';
import {
  type MailedBy,
  type MailVoucher,
  makeFindUnfit,
  toAudit,
  type UnfitVoucher,
} from './mail-voucher.ts';
import type { MailProblem } from './order-mail.ts';

/** `mail-not-resendable`: it waits for its voucher, or it was cancelled. */
export type ResendProblem =
  | MailProblem
  | UnfitVoucher
  | { kind: 'mail-not-found' }
  | { kind: 'mail-not-resendable' };

/** Returns the id of the mail that will be sent. */
export type ResendMail = (id: MessageId, by: MailedBy) => Promise<Result<MessageId, ResendProblem>>;

interface Deps {
  finder: Pick<VoucherFinder, 'search'>;
  mails: Pick<MailStore, 'search' | 'findAddress' | 'retry'>;
  mailVoucher: MailVoucher;
  clock: Clock;
}

export function makeResendMail({ finder, mails, mailVoucher, clock }: Deps): ResendMail {
  const findUnfit = makeFindUnfit({ finder, clock });

  return async function resendMail(id, by) {
    const [mail] = await mails.search({ id, siteIds: by.siteIds, limit: 1 });
    if (!mail || mail.voucherId === null) return fail({ kind: 'mail-not-found' });
    const unfit = await findUnfit(mail.voucherId, by);
    if (unfit) return fail(unfit);
    if (mail.state === 'sent') return sendAnother(mail, by);
    const isQueued = await mails.retry(id, toAudit(by, clock));
    return isQueued ? ok(id) : fail({ kind: 'mail-not-resendable' });
  };

  async function sendAnother({ id, voucherId, language }: LoggedMail, by: MailedBy): ReturnType<ResendMail> {
    const address = await mails.findAddress(id);
    if (address === undefined || voucherId === null) return fail({ kind: 'mail-not-found' });
    return mailVoucher(voucherId, { address, ...(language && { language }) }, by);
  }
}
