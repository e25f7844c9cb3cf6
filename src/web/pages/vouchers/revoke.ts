// Revokes a voucher after confirmation. On request, disconnects the devices that are online with it, where the
// controller can do this.

import { formatCode } from '../../../domain/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../domain/vouchers/voucher-search.ts';
import { countsAs, stateOf } from '../../../domain/vouchers/voucher-state.ts';
import { sayTime } from '../../../i18n/durations.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import type { Route } from '../../http/route.ts';
import { confirm } from '../../ui/confirm.ts';
import { html } from '../../ui/html.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../ui/layout.ts';
import { errorMessage } from '../sites/controller-errors.ts';
import { withFrom } from './list-link.ts';
import { madeBy, shownName } from './voucher-details.ts';
import { withVoucher } from './with-voucher.ts';

export const revokeRoutes: Route[] = [
  { method: 'GET', path: '/vouchers/:id/revoke', permission: 'operator', run: withVoucher(ask) },
  { method: 'POST', path: '/vouchers/:id/revoke', permission: 'operator', run: withVoucher(revoke) },
];

async function ask(context: AuthenticatedContext, voucher: FoundVoucher) {
  const { app, messages, language, timeZone, nowS } = context;
  const { revoke: text, list } = messages;
  const { id, code, siteName, createdAtS } = voucher;
  const created = sayTime(createdAtS * 1000, { language, timeZone });
  const isInUse = countsAs('in-use', stateOf(voucher, nowS));
  const canDisconnect = isInUse && (await app.devices.canDisconnect(voucher));
  return confirm(context, {
    ask: text.ask,
    what: text.what,
    details: html`<p><strong class="code listed">${formatCode(code)}</strong> · ${shownName(voucher)} · ${siteName}</p>
<p class="soft">${list.created}: ${created}, ${madeBy(voucher, context)}</p>
${isInUse && html`<p>${text.letIn(Math.max(1, voucher.usedCount))}${!canDisconnect && html` ${text.stayOnline}`}</p>`}`,
    action: withFrom(context, `/vouchers/${id}/revoke`),
    ...(canDisconnect && {
      fields: html`<p><label class="tick"><input type="checkbox" name="disconnect" value="1" aria-describedby="disconnect-hint" checked>${text.disconnect}</label>
<span class="hint" id="disconnect-hint">${text.disconnectHint}</span></p>`,
    }),
    button: text.revoke,
    back: withFrom(context, `/vouchers/${id}`),
  });
}

async function revoke(context: AuthenticatedContext, voucher: FoundVoucher) {
  // A revoked voucher comes again if its devices could not be disconnected the first time.
  const isRevoked = voucher.revokedAtS !== null;
  const failure = isRevoked ? undefined : await context.app.revokeVoucher(voucher, auditContextOf(context));
  if (failure)
    return renderPage(context, {
      title: context.messages.revoke.failedTitle,
      status: 502,
      message: errorMessage(context, context.messages.revoke.failed, failure),
      content: html`<h1>${context.messages.revoke.failedTitle}</h1><p><a class="button" href="${withFrom(context, `/vouchers/${voucher.id}`)}">${context.messages.revoke.back}</a></p>`,
    });
  if (context.form.has('disconnect')) return disconnect(context, voucher);
  return redirect(context, withFrom(context, `/vouchers/${voucher.id}`), 'voucherRevoked');
}

async function disconnect(context: AuthenticatedContext, voucher: FoundVoucher) {
  const { revoke: text } = context.messages;
  const { count, failure } = await context.app.devices.disconnect(voucher, auditContextOf(context));
  const toVoucher = withFrom(context, `/vouchers/${voucher.id}`);
  if (!failure) return redirect(context, toVoucher, count > 0 ? 'devicesDisconnected' : 'noDeviceOnline');
  return renderPage(context, {
    title: text.stillOnlineTitle,
    status: 502,
    message: errorMessage(context, text.stillOnline(count), failure),
    content: html`<h1>${text.stillOnlineTitle}</h1><p>${text.stayOnline}</p>
<form method="post" action="${withFrom(context, `/vouchers/${voucher.id}/revoke`)}">${formToken(context)}${oneTimeToken()}<input type="hidden" name="disconnect" value="1"><div class="actions">
<button class="button primary" type="submit">${text.disconnectAgain}</button><a class="button" href="${toVoucher}">${text.back}</a></div></form>`,
  });
}
