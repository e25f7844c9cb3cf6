// Revokes a voucher after confirmation.

import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import { sayTime } from '../../../i18n/durations.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { confirm } from '../../ui/confirm.ts';
import { html } from '../../ui/html.ts';
import { redirect, renderPage } from '../../ui/layout.ts';
import { errorMessage } from '../sites/controller-errors.ts';
import { withFrom } from './list-link.ts';
import { madeBy, shownName } from './voucher-details.ts';
import { withVoucher } from './with-voucher.ts';

export const revokeRoutes: Route[] = [
  { method: 'GET', path: '/vouchers/:id/revoke', permission: 'operator', run: withVoucher(ask) },
  { method: 'POST', path: '/vouchers/:id/revoke', permission: 'operator', run: withVoucher(revoke) },
];

function ask(context: AuthenticatedContext, voucher: FoundVoucher) {
  const { messages, language, timeZone } = context;
  const { revoke: text, list } = messages;
  const { id, code, siteName, createdAtS } = voucher;
  const created = sayTime(createdAtS * 1000, { language, timeZone });
  return confirm(context, {
    ask: text.ask,
    what: text.what,
    details: html`<p><strong class="code listed">${formatCode(code)}</strong> · ${shownName(voucher)} · ${siteName}</p>
<p class="soft">${list.created}: ${created}, ${madeBy(voucher, context)}</p>`,
    action: withFrom(context, `/vouchers/${id}/revoke`),
    button: text.revoke,
    back: withFrom(context, `/vouchers/${id}`),
  });
}

async function revoke(context: AuthenticatedContext, voucher: FoundVoucher) {
  const failure = await context.app.revokeVoucher(voucher, auditContextOf(context));
  if (failure)
    return renderPage(context, {
      title: context.messages.revoke.failedTitle,
      status: 502,
      message: errorMessage(context, context.messages.revoke.failed, failure),
      content: html`<h1>${context.messages.revoke.failedTitle}</h1><p><a class="button" href="${withFrom(context, `/vouchers/${voucher.id}`)}">${context.messages.revoke.back}</a></p>`,
    });
  return redirect(context, withFrom(context, `/vouchers/${voucher.id}`), 'voucherRevoked');
}
