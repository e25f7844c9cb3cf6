// Taking a voucher back, after asking.

import { asVoucherId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import type { User } from '../../domain/users/user.ts';
import type { RevokeVoucher } from '../../domain/vouchers/revoke-voucher.ts';
import { formatCode } from '../../domain/vouchers/voucher.ts';
import type { FoundVoucher, VoucherFinder } from '../../domain/vouchers/voucher-search.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import type { UserVisit } from '../visit.ts';

interface Needs {
  sitesFor: (user: User) => Promise<Site[]>;
  finder: VoucherFinder;
  revokeVoucher: RevokeVoucher;
}

export function makeRevokePages({ sitesFor, finder, revokeVoucher }: Needs): Route[] {
  return [
    {
      method: 'GET',
      path: '/vouchers/:id/revoke',
      access: 'operator',
      run: (visit) => withVoucher(visit, ask),
    },
    {
      method: 'POST',
      path: '/vouchers/:id/revoke',
      access: 'operator',
      run: (visit) => withVoucher(visit, revoke),
    },
  ];

  async function withVoucher(
    visit: UserVisit,
    run: (visit: UserVisit, voucher: FoundVoucher) => Answer | Promise<Answer>,
  ) {
    const {
      vouchers: [voucher],
    } = await finder.search({
      siteIds: (await sitesFor(visit.user)).map(({ id }) => id),
      id: asVoucherId(Number(visit.parameters.id) || 0),
      atMost: 1,
      nowS: Math.floor(visit.nowMs / 1000),
    });
    return voucher ? run(visit, voucher) : problemPage(visit, 404, visit.words.problem.notFound);
  }

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
    const audit = { actor: `Web: ${visit.user.name}`, atMs: visit.nowMs };
    const failure = await revokeVoucher(voucher, audit);
    if (failure) return problemPage(visit, 502, `${visit.words.revoke.failed} ${failure.text}`);
    return redirect(`/vouchers/${voucher.id}`);
  }
}
