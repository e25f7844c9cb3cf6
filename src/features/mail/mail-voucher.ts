// Sends a voucher that exists to a guest.

import type { Actor } from '../../kernel/audit/actor.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { MessageId, SiteId, VoucherId } from '../../kernel/ids.ts';
import type { VoucherFinder } from '../../kernel/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../kernel/vouchers/voucher-state.ts';
import { type Clock, toWholeSeconds } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import type { MailStore, OrderedMail } from './mail.ts';
import type { MailProblem, OrderMail } from './order-mail.ts';

export interface MailedBy {
  actor: Actor;
  ip?: string;
  /** The sites that the caller may use. */
  siteIds: SiteId[];
}

export type UnfitVoucher = { kind: 'voucher-not-found' } | { kind: 'voucher-ended' };

export type MailVoucher = (
  voucherId: VoucherId,
  mail: OrderedMail,
  by: MailedBy,
) => Promise<Result<MessageId, MailProblem | UnfitVoucher>>;

interface Deps {
  finder: Pick<VoucherFinder, 'search'>;
  mails: Pick<MailStore, 'add'>;
  orderMail: OrderMail;
  clock: Clock;
}

export function makeMailVoucher({ finder, mails, orderMail, clock }: Deps): MailVoucher {
  const findUnfit = makeFindUnfit({ finder, clock });

  return async function mailVoucher(voucherId, mail, by) {
    const unfit = await findUnfit(voucherId, by);
    if (unfit) return fail(unfit);
    const ordered = await orderMail(mail, { actor: by.actor, count: 1 });
    if (!ordered.ok) return ordered;
    using order = ordered.value;
    return ok(await mails.add({ ...order.message, voucherId }, toAudit(by, clock)));
  };
}

/** Whether the voucher must not be sent. If it ends later, the mail is cancelled. */
export function makeFindUnfit({ finder, clock }: Pick<Deps, 'finder' | 'clock'>) {
  return async function findUnfit(
    id: VoucherId,
    { siteIds }: Pick<MailedBy, 'siteIds'>,
  ): Promise<UnfitVoucher | undefined> {
    const nowS = toWholeSeconds(clock.nowMs());
    const [voucher] = (await finder.search({ siteIds, id, limit: 1, nowS })).vouchers;
    if (!voucher) return { kind: 'voucher-not-found' };
    return hasEnded(stateOf(voucher, nowS)) ? { kind: 'voucher-ended' } : undefined;
  };
}

export function toAudit({ actor, ip }: MailedBy, clock: Clock): AuditContext {
  return { actor, atMs: clock.nowMs(), ...(ip !== undefined && { ip }) };
}
