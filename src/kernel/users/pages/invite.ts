// Creates links with which users set their password. An administrator creates a link for a new user, or for a user who
// has forgotten the password, and sends it to this user. The link is shown only once.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { Language } from '../../../platform/text/language.ts';
import { sayTime } from '../../../platform/texts/durations.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { renderPage } from '../../pages/layout.ts';
import { canMailLinks, isOnlyHere, linkTo } from '../../pages/link-to.ts';
import { note } from '../../pages/message.ts';
import { onlyHereNote } from '../../pages/only-here-note.ts';
import { problemPage } from '../../pages/problem-page.ts';
import { qrOf } from '../../vouchers/pages/voucher-details.ts';
import { INVITATION_PATH, type IssuedLink, isOpen, type PendingInvitation } from '../invitations.ts';
import type { User } from '../user.ts';

export async function askLink(context: AuthenticatedContext, { id, name }: User): Promise<Response> {
  const { users: text } = context.messages.invitation;
  return confirm(context, {
    ask: text.ask(name),
    what: text.what,
    action: `/users/${id}/password`,
    fields: await mailField(context, text.mailLink),
    button: text.confirm,
    back: `/users/${id}`,
    isHarmless: true,
  });
}

export async function makeLink(context: AuthenticatedContext, user: User): Promise<Response> {
  const { users: text } = context.messages.invitation;
  const mailIn = await readMailField(context);
  const link = await context.app.invite.existingUser(user, auditContextOf(context), mailIn);
  if (!link) return problemPage(context, 409, text.isOff);
  return showLink(context, { title: text.linkMade(user.name), email: user.email, link });
}

/** Ticked at first. Not shown if links cannot be mailed. */
export async function mailField(context: AuthenticatedContext, label: string): Promise<Html> {
  if (!(await canMailLinks(context))) return html``;
  const isTicked = context.request.method === 'GET' || context.form.has('mail');
  return html`<p><label class="tick"><input type="checkbox" name="mail" value="1"${isTicked && html` checked`}>${label}</label></p>`;
}

/** The language of the mail; undefined if no mail is wanted. */
export async function readMailField(context: AuthenticatedContext): Promise<Language | undefined> {
  const { form, settings, language } = context;
  return form.has('mail') && (await canMailLinks(context)) ? (settings.language ?? language) : undefined;
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
    content: html`<section class="card"><h1>${title}</h1>${link.isMailed ? note('success', text.mailed(email)) : html`<p>${text.passOn(email)}</p>`}
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
