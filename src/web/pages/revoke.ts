// Taking a voucher back, after asking.

import type { RevokeVoucher } from '../../domain/vouchers/revoke-voucher.ts';
import { formatCode } from '../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../domain/vouchers/voucher-search.ts';
import { askFirst } from '../ask-first.ts';
import { html } from '../html.ts';
import { answerPage, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { type VoucherNeeds, withVoucher } from '../with-voucher.ts';
import { troubleNote } from './sites-trouble.ts';

interface Needs extends VoucherNeeds {
  revokeVoucher: RevokeVoucher;
}

export function makeRevokePages({ revokeVoucher, ...needs }: Needs): Route[] {
  return [
    {
      method: 'GET',
      path: '/vouchers/:id/revoke',
      access: 'operator',
      run: (visit) => withVoucher(visit, needs, ask),
    },
    {
      method: 'POST',
      path: '/vouchers/:id/revoke',
      access: 'operator',
      run: (visit) => withVoucher(visit, needs, revoke),
    },
  ];

  function ask(visit: UserVisit, { id, code }: FoundVoucher) {
    const { revoke: text } = visit.words;
    return askFirst(visit, {
      ask: text.ask(formatCode(code)),
      what: text.what,
      action: `/vouchers/${id}/revoke`,
      button: text.revoke,
      back: `/vouchers/${id}`,
    });
  }

  async function revoke(visit: UserVisit, voucher: FoundVoucher) {
    const failure = await revokeVoucher(voucher, auditOf(visit));
    if (failure)
      return answerPage(visit, {
        title: visit.words.revoke.failed,
        status: 502,
        content: html`${troubleNote(visit, visit.words.revoke.failed, failure)}<p><a class="button" href="/vouchers/${voucher.id}">${visit.words.revoke.back}</a></p>`,
      });
    return redirect(`/vouchers/${voucher.id}`);
  }
}
