// Revokes a voucher after confirmation. On request, disconnects the devices that are online with it, where the
// controller can do this.

import { html } from '../../../platform/pages/ui/html.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import type { ControllerFailure } from '../../controllers/controller.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../pages/layout.ts';
import { message } from '../../pages/message.ts';
import type { Route } from '../../pages/route.ts';
import { failureText } from '../../sites/pages/controller-errors.ts';
import { formatCode } from '../voucher.ts';
import type { FoundVoucher } from '../voucher-search.ts';
import { countsAs, stateOf } from '../voucher-state.ts';
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
  const { revoke: text, failures } = context.messages;
  // A revoked voucher comes again if its devices could not be disconnected the first time.
  const isRevoked = voucher.revokedAtS !== null;
  const failure = isRevoked ? undefined : await context.app.revokeVoucher(voucher, auditContextOf(context));
  if (failure) {
    const { failedTitle: title, failed: what } = text;
    return showFailure(context, voucher, { title, what, failure, retry: failures.retry });
  }
  if (context.form.has('disconnect')) return disconnect(context, voucher);
  return redirect(context, withFrom(context, `/vouchers/${voucher.id}`), 'voucherRevoked');
}

async function disconnect(context: AuthenticatedContext, voucher: FoundVoucher) {
  const { stillOnlineTitle, stillOnline, stayOnline, disconnectAgain } = context.messages.revoke;
  const toVoucher = withFrom(context, `/vouchers/${voucher.id}`);
  const result = await context.app.devices.disconnect(voucher, auditContextOf(context));
  if (!result) return redirect(context, toVoucher, 'voucherRevoked');
  const { count, failure } = result;
  if (failure)
    return showFailure(context, voucher, {
      title: stillOnlineTitle,
      what: stillOnline(count),
      failure: withoutAdvice(failure),
      hint: stayOnline,
      retry: disconnectAgain,
    });
  return redirect(context, toVoucher, count > 0 ? 'devicesDisconnected' : 'noDeviceOnline');
}

interface Failed {
  title: string;
  what: string;
  failure: ControllerFailure;
  hint?: string;
  /** The label of the button. */
  retry: string;
}

/** The button sends the same form again, which is safe: a voucher is deleted once. */
function showFailure(context: AuthenticatedContext, { id, siteId }: FoundVoucher, failed: Failed) {
  const { title, what, failure, hint, retry } = failed;
  const why = failureText(context, { siteId, cause: failure.cause, text: failure.text });
  const path = (below = '') => withFrom(context, `/vouchers/${id}${below}`);
  return renderPage(context, {
    title,
    status: 502,
    message: message('error', html`<strong>${what}</strong><br>${why}`),
    content: html`<h1>${title}</h1>${hint && html`<p>${hint}</p>`}<form method="post" action="${path('/revoke')}">${formToken(context)}${oneTimeToken()}
${context.form.has('disconnect') && html`<input type="hidden" name="disconnect" value="1">`}<div class="actions">
<button class="button primary" type="submit">${retry}</button><a class="button" href="${path()}">${context.messages.revoke.back}</a></div></form>`,
  });
}

/** The advice for a refusal is about vouchers, not about devices. */
function withoutAdvice({ cause, ...failure }: ControllerFailure): ControllerFailure {
  return cause === undefined || cause === 'refused' ? failure : { ...failure, cause };
}
