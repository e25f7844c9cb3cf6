// The parts of the user pages: the table, the form fields and the card with the access actions.

import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { hasInvisible } from '../../../platform/text/invisible.ts';
import { type OrUnknown, UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { SiteId, UserId } from '../../ids.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import type { Site } from '../../sites/site.ts';
import { toEmailAddress } from '../email-address.ts';
import type { PendingInvitation } from '../invitations.ts';
import { isEmail, type Role, type User } from '../user.ts';
import { userStatePill } from './invite.ts';

interface TableDetails {
  siteNames: (user: User) => string;
  owners: Set<UserId>;
  invitations: Map<UserId, PendingInvitation>;
}

export function userTable(
  context: AuthenticatedContext,
  users: User[],
  { siteNames, owners, invitations }: TableDetails,
): Html {
  const { users: factorText } = context.messages.secondFactor;
  const { users: text } = context.messages.admin;
  const labels = [text.name, text.role, text.sites, factorText.column, text.state];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}
<th scope="col"><span class="hidden-text">${text.change}</span></th></tr></thead><tbody>${users.map(
    (
      user,
    ) => html`<tr><td data-label="${text.name}"><span>${user.name}${user.id === context.user.id && html` <span class="soft">(${text.you})</span>`}<span class="sub">${user.email}</span></span></td>
<td class="short" data-label="${text.role}">${user.role === UNKNOWN ? context.messages.admin.notKnown : text[user.role]}</td>
<td data-label="${text.sites}">${siteNames(user) || html`<span class="soft">${text.noSites}</span>`}</td>
<td data-label="${factorText.column}">${owners.has(user.id) ? context.messages.admin.yes : html`<span class="soft">${context.messages.admin.no}</span>`}</td>
<td data-label="${text.state}">${userStatePill(context, user, invitations.get(user.id))}</td>
<td class="doing"><a href="/users/${user.id}" aria-label="${text.changeHidden(user.name)}">${text.change}</a></td></tr>`,
  )}</tbody></table>`;
}

interface Shown {
  name: string;
  role: OrUnknown<Role>;
  siteIds: SiteId[];
  allSites: Site[];
  issues: UserIssues;
  isSelf?: boolean;
}

/** Administrators can change only the name of their own account here. */
export function userFields(context: AuthenticatedContext, shown: Shown): Html {
  const { users: text } = context.messages.admin;
  const { name, role, issues, isSelf } = shown;
  const nameField = textField({
    name: 'name',
    label: text.name,
    hint: text.nameHint,
    value: name,
    error: issues.name,
    required: true,
  });
  if (isSelf) return html`${nameField}${note('info', text.ownRole)}`;
  if (role === UNKNOWN) return html`${nameField}${note('info', context.messages.admin.notKnownKept)}`;
  const choices = (['operator', 'admin'] as const).map((value) => ({ value, label: text[value] }));
  return html`${nameField}${selectField({ name: 'role', label: text.role, value: role, choices })}${siteChips(context, { ...shown, error: issues.sites })}`;
}

/** The style sheet hides the sites while the role of an administrator is chosen. */
export function siteChips(
  { messages: { admin } }: AuthenticatedContext,
  { siteIds, allSites, error }: Pick<Shown, 'siteIds' | 'allSites'> & { error?: string | undefined },
): Html {
  const { users: text } = admin;
  return html`<fieldset class="field for-operators" id="sites" tabindex="-1" aria-describedby="${error !== undefined && 'sites-error '}sites-hint"><legend>${text.sites}</legend>
<div class="chips">${allSites.map(
    ({ id, name, active }) =>
      html`<label class="chip"><input type="checkbox" name="site-${id}" value="1"${siteIds.includes(id) && html` checked`}><span>${active ? name : text.siteOff(name)}</span></label>`,
  )}</div><span class="hint" id="sites-hint">${allSites.length === 0 ? text.noSitesYet : text.sitesHint}</span>
${error !== undefined && html`<span class="error" id="sites-error">${error}</span>`}</fieldset>`;
}

export function emailField({ messages, form }: AuthenticatedContext, issues: UserIssues): Html {
  const { users: text } = messages.admin;
  const value = form.get('email') ?? '';
  return textField({
    name: 'email',
    label: text.email,
    type: 'email',
    value,
    error: issues.email,
    required: true,
  });
}

export function loginCard(
  context: AuthenticatedContext,
  user: User,
  { pending, hasSecondFactor }: { pending: PendingInvitation | undefined; hasSecondFactor: boolean },
): Html {
  const { users: text } = context.messages.admin;
  const { users: links } = context.messages.invitation;
  return html`<section class="card"><h2>${text.access}</h2><p>${userStatePill(context, user, pending)}</p><div class="actions">
${user.active && html`<a class="button" href="/users/${user.id}/password">${icon('key')}${pending?.isFirst ? links.again : links.make}</a>`}
${hasSecondFactor && html`<a class="button risky" href="/users/${user.id}/second-factor">${context.messages.secondFactor.users.remove}</a>`}
${
  user.active
    ? html`<a class="button" href="/users/${user.id}/off">${text.switchOff}</a>`
    : html`<form method="post" action="/users/${user.id}/on">${formToken(context)}<button class="button primary" type="submit">${text.switchOn}</button></form>`
}<a class="button risky" href="/users/${user.id}/remove">${text.remove}</a></div></section>`;
}

const MAX_NAME_LENGTH = 100;

export type UserIssues = Partial<Record<'name' | 'email' | 'sites', string>>;

interface UserReading {
  name: string;
  role: Role;
  /** In ascending order; empty for administrators, who have access to all sites. */
  siteIds: SiteId[];
  issues: UserIssues;
}

export function readUserForm({ form, messages }: AuthenticatedContext, allSites: Site[]): UserReading {
  const name = (form.get('name') ?? '').trim();
  const role = form.get('role') === 'admin' ? 'admin' : 'operator';
  const issues: UserIssues = {
    ...(name === '' && { name: messages.form.nameMissing }),
    ...([...name].length > MAX_NAME_LENGTH && { name: messages.form.nameTooLong(MAX_NAME_LENGTH) }),
    ...(hasInvisible(name) && { name: messages.form.notPlain }),
  };
  const chosen = allSites.map(({ id }) => id).filter((id) => form.has(`site-${id}`));
  const siteIds = role === 'admin' ? [] : chosen.toSorted((one, other) => one - other);
  // An operator must have a site, because without one the operator could do nothing.
  if (role === 'operator' && siteIds.length === 0) {
    const { users: text } = messages.admin;
    issues.sites = allSites.length === 0 ? text.noSitesYet : text.sitesMissing;
  }
  return { name, role, siteIds, issues };
}

export function readNewUserForm(context: AuthenticatedContext, allSites: Site[]) {
  const { form, messages } = context;
  const { issues, ...user } = readUserForm(context, allSites);
  const typed = (form.get('email') ?? '').trim();
  const email = toEmailAddress(typed);
  const { emailWrong, emailNotPlain } = messages.admin.users;
  if (email === undefined) issues.email = isEmail(typed) ? emailNotPlain : emailWrong;
  return { ...user, email: email ?? '', issues };
}
