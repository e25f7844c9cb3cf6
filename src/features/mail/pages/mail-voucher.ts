// Sends a voucher by e-mail: the form for the address, and the card with the mails of a voucher.

import { userActor } from '../../../kernel/audit/actor.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../../kernel/pages/layout.ts';
import { message } from '../../../kernel/pages/message.ts';
import type { Route } from '../../../kernel/pages/route.ts';
import { withFrom } from '../../../kernel/vouchers/pages/list-link.ts';
import { demoPill, shownName } from '../../../kernel/vouchers/pages/voucher-details.ts';
import { withVoucher } from '../../../kernel/vouchers/pages/with-voucher.ts';
import { formatCode } from '../../../kernel/vouchers/voucher.ts';
import type { FoundVoucher } from '../../../kernel/vouchers/voucher-search.ts';
import { hasEnded, stateOf } from '../../../kernel/vouchers/voucher-state.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { LoggedMail } from '../mail.ts';
import { MAIL_TEXTS } from '../mail-texts.ts';
import type { MailedBy } from '../mail-voucher.ts';
import { mailFields, readMailFields, typedMail } from './mail-fields.ts';
import { mailPill, sayMailNow, serverWords } from './mail-state.ts';

/** Hardly any voucher has more mails. The page of mails shows all. */
const MAX_SHOWN = 5;

const path = '/vouchers/:id/mail';

export const mailVoucherRoutes: Route[] = [
  { method: 'GET', path, permission: 'operator', run: withVoucher((...input) => ask(...input)) },
  { method: 'POST', path, permission: 'operator', run: withVoucher(send) },
];

/** False for ended vouchers, and if e-mail is not set up. */
export async function canBeMailed(
  { app, nowS }: AuthenticatedContext,
  voucher: Parameters<typeof stateOf>[0],
): Promise<boolean> {
  return !hasEnded(stateOf(voucher, nowS)) && (await app.mailServer.find()) !== undefined;
}

export async function mailedBy({ app, user, request }: AuthenticatedContext): Promise<MailedBy> {
  const siteIds = (await app.sitesFor(user)).map(({ id }) => id);
  return { actor: userActor(user), ip: request.clientIp(), siteIds };
}

interface Refused {
  /** What is wrong with the address. */
  email?: string;
  /** Why the voucher is not sent to any address. */
  refusal?: string;
}

async function ask(
  context: AuthenticatedContext,
  voucher: FoundVoucher,
  { email, refusal }: Refused = {},
): Promise<Response> {
  const text = MAIL_TEXTS[context.language];
  const toVoucher = withFrom(context, `/vouchers/${voucher.id}`);
  if (!refusal && !(await canBeMailed(context, voucher))) return redirect(context, toVoucher);
  return renderPage(context, {
    title: text.send,
    issues: { email },
    ...(refusal && { status: 409, message: message('error', refusal) }),
    content: html`<section class="card"><h1>${text.send}</h1>
<p><strong class="code listed">${formatCode(voucher.code)}</strong> · ${shownName(voucher)} · ${voucher.siteName}</p>${voucher.isDemo && html`<p>${demoPill(context)}</p>`}
<form method="post" action="${withFrom(context, `/vouchers/${voucher.id}/mail`)}" novalidate>${formToken(context)}${oneTimeToken()}${mailFields(context, { ...typedMail(context), error: email })}
<div class="actions"><button class="button primary" type="submit">${text.button}</button><a class="button" href="${toVoucher}">${context.messages.admin.cancel}</a></div></form></section>`,
  });
}

async function send(context: AuthenticatedContext, voucher: FoundVoucher): Promise<Response> {
  const text = MAIL_TEXTS[context.language];
  const mail = readMailFields(context);
  if (mail === undefined) return ask(context, voucher, { email: text.addressMissing });
  if (mail === 'wrong') return ask(context, voucher, { email: text.addressWrong });
  const ordered = await context.app.mailVoucher(voucher.id, mail, await mailedBy(context));
  if (!ordered.ok) return ask(context, voucher, { refusal: text.refused[ordered.problem.kind] });
  return redirect(context, withFrom(context, `/vouchers/${voucher.id}`), 'mailOrdered');
}

/** Newest first. */
export function newestMailsOf({ app }: AuthenticatedContext, { id }: FoundVoucher): Promise<LoggedMail[]> {
  return app.mails.search({ voucherId: id, limit: MAX_SHOWN });
}

export async function mailCard(
  context: AuthenticatedContext,
  voucher: FoundVoucher,
  { mails, canBeSent }: { mails: LoggedMail[]; canBeSent: boolean },
): Promise<Html | false> {
  const text = MAIL_TEXTS[context.language];
  if (mails.length === 0) return false;
  const lines = await Promise.all(mails.map((mail) => line(context, mail, canBeSent)));
  return html`<section class="card" aria-labelledby="mails"><h2 id="mails">${text.title}</h2><ul class="mails">${lines}</ul>
${canBeSent && html`<div class="actions"><a class="button" href="${withFrom(context, `/vouchers/${voucher.id}/mail`)}">${icon('mail')}${text.toAnother}</a></div>`}</section>`;
}

async function line(context: AuthenticatedContext, mail: LoggedMail, canBeSent: boolean): Promise<Html> {
  const next = withFrom(context, `/vouchers/${mail.voucherId}`);
  const text = MAIL_TEXTS[context.language];
  return html`<li><p>${mailPill(context, mail)} ${await sayMailNow(context, mail)}${mail.state === 'failed' && html`. ${text.checkAddress}`} <a href="/mails/${mail.id}">${text.details}</a></p>${serverWords(context, mail)}
<div class="actions">${mailButtons(context, mail, { canBeSent, next })}</div></li>`;
}

interface Buttons {
  canBeSent: boolean;
  /** The page that opens afterwards. */
  next: string;
}

/** Buttons to send a mail again, and to note that its failure was read. */
export function mailButtons(
  context: AuthenticatedContext,
  { id, state, isUnread }: LoggedMail,
  { canBeSent, next }: Buttons,
): Html {
  const text = MAIL_TEXTS[context.language];
  const isResendable = state === 'sent' || state === 'failed' || state === 'waiting';
  const button = (action: string, label: string) =>
    html`<form method="post" action="/mails/${id}/${action}">${formToken(context)}${oneTimeToken()}<input type="hidden" name="next" value="${next}"><button class="button" type="submit">${label}</button></form>`;
  return html`${canBeSent && isResendable && button('resend', state === 'waiting' ? text.atOnce : text.again)}${isUnread && button('read', text.markRead)}`;
}
