// Creates links with which users set their password. An administrator creates a link for a new user, or for a user who
// has forgotten the password, and sends it to this user. The link is shown only once.

import {
  INVITATION_PATH,
  type IssuedLink,
  isOpen,
  type PendingInvitation,
} from '../../../domain/users/invitations.ts';
import type { User } from '../../../domain/users/user.ts';
import { sayTime } from '../../../i18n/durations.ts';
import { type AuthenticatedContext, auditContextOf } from '../../http/context.ts';
import { isOnlyHere, linkTo } from '../../http/link-to.ts';
import { problemPage } from '../../http/problem-page.ts';
import { confirm } from '../../ui/confirm.ts';
import { type Html, html } from '../../ui/html.ts';
import { icon } from '../../ui/icons.ts';
import { renderPage } from '../../ui/layout.ts';
import { note } from '../../ui/message.ts';
import { onlyHereNote } from '../../ui/only-here-note.ts';
import { qrOf } from '../vouchers/voucher-details.ts';

export function askLink(context: AuthenticatedContext, { id, name }: User): Response {
  const { users: text } = context.messages.invitation;
  return confirm(context, {
    ask: text.ask(name),
    what: text.what,
    action: `/users/${id}/password`,
    button: text.confirm,
    back: `/users/${id}`,
    isHarmless: true,
  });
}

export async function makeLink(context: AuthenticatedContext, user: User): Promise<Response> {
  const { users: text } = context.messages.invitation;
  const link = await context.app.invite.existingUser(user, auditContextOf(context));
  if (!link) return problemPage(context, 409, text.isOff);
  return showLink(context, { title: text.linkMade(user.name), email: user.email, link });
}

export function showLink(
  context: AuthenticatedContext,
  { title, email, link }: { title: string; email: string; link: IssuedLink },
): Response {
  const { messages, language, timeZone } = context;
  const { users: text } = messages.invitation;
  const url = linkTo(context, `${INVITATION_PATH}/${link.token}`);
  // A phone that scans the QR code could not open an address of this machine.
  const qr =
    !isOnlyHere(context) && html`<figure>${qrOf(url, text.qr)}<figcaption>${text.scan}</figcaption></figure>`;
  return renderPage(context, {
    title,
    content: html`<section class="card"><h1>${title}</h1><p>${text.passOn(email)}</p>
<div class="secret"><div class="link-and-qr"><p><code class="secret-text">${url}</code></p>${qr}</div>
${onlyHereNote(context)}
${note('warning', text.until(sayTime(link.expiresAtMs, { language, timeZone })))}
<div class="actions"><button class="button primary" type="button" hidden data-copy="${url}" data-copied="${messages.result.copied}">${icon('copy')}<span>${text.copy}</span></button>
<a class="button" href="/users">${text.back}</a></div></div></section>`,
  });
}

/** The state of a user: active, invited or deactivated, and until when the user's link to set a password is valid. */
export function userStatePill(
  context: AuthenticatedContext,
  { active }: User,
  pending: PendingInvitation | undefined,
): Html {
  const { messages, language, timeZone, nowMs } = context;
  const { users: text } = messages.invitation;
  const { users } = messages.admin;
  if (!active) return html`<span class="pill expired">${icon('used')}${users.off}</span>`;
  const time = pending && isOpen(pending, nowMs) && sayTime(pending.expiresAtMs, { language, timeZone });
  if (pending?.isFirst)
    return html`<span class="state"><span class="pill used">${icon('user')}${text.isInvited}</span><span class="sub">${time ? text.validUntil(time) : text.expired}</span></span>`;
  const pill = html`<span class="pill valid">${icon('valid')}${users.active}</span>`;
  return time
    ? html`<span class="state">${pill}<span class="sub">${text.resetUntil(time)}</span></span>`
    : pill;
}
