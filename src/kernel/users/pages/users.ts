// Users with their roles and sites. Administrators invite, edit, disable, enable and remove users, and create
// links with which users set their password.

import { accountStylesheet } from '../../../platform/pages/assets.ts';
import { html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { SiteId } from '../../ids.ts';
import { confirm } from '../../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../../pages/context.ts';
import { formToken, oneTimeToken, redirect, renderPage } from '../../pages/layout.ts';
import { note } from '../../pages/message.ts';
import type { NoticeKind } from '../../pages/notice.ts';
import { notFoundPage, problemPage } from '../../pages/problem-page.ts';
import { adminRoutes, type Route } from '../../pages/route.ts';
import { sessionCard } from '../account/session-list.ts';
import type { User, UserChange } from '../user.ts';
import { askLink, mailField, makeLink, readMailField, showLink } from './invite.ts';
import {
  emailField,
  loginCard,
  readNewUserForm,
  readUserForm,
  type UserIssues,
  userFields,
  userTable,
} from './user-form.ts';
import { ruleCard } from './user-second-factor.ts';
import { isSelf, others, type UserPage, withUser } from './with-user.ts';

const { get, post } = adminRoutes('/users');
const getOne = (path: string, run: UserPage) => get(`/:user${path}`, withUser(run));
const postOne = (path: string, run: UserPage) => post(`/:user${path}`, withUser(run));

export const userRoutes: Route[] = [
  get('', list),
  get('/add', addForm),
  post('/add', add),
  getOne('', (context, user) => edit(context, user)),
  postOne('', change),
  getOne('/password', others(askLink)),
  postOne('/password', others(makeLink)),
  getOne('/off', others(askOff)),
  postOne(
    '/off',
    others((context, user) => apply(context, user, { active: false }, 'userOff')),
  ),
  getOne('/remove', others(askRemove)),
  postOne('/remove', others(remove)),
  // This route does not ask for the password, because ending sessions does no harm.
  { method: 'POST', path: '/users/:user/sessions/end', permission: 'admin', run: withUser(endSessions) },
  postOne('/on', (context, user) => apply(context, user, { active: true }, 'userOn')),
];

async function list(context: AuthenticatedContext) {
  const { users, sites, secondFactors, invitations } = context.app;
  const { users: text } = context.messages.admin;
  const [all, siteIds, allSites, owners, pending] = await Promise.all([
    users.list(),
    users.listSiteIds(),
    sites.list(),
    secondFactors.listOwners(),
    invitations.list(),
  ]);
  const siteNames = ({ id, role }: User) =>
    role === 'admin'
      ? text.allSites
      : allSites
          .filter((site) => siteIds.get(id)?.includes(site.id))
          .map(({ name }) => name)
          .join(', ');
  return renderPage(context, {
    title: text.title,
    content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<p><a class="button primary" href="/users/add">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${userTable(context, all, { siteNames, owners, invitations: pending })}</section>
${ruleCard(context)}`,
  });
}

async function addForm(context: AuthenticatedContext, issues: UserIssues = {}) {
  const { admin, invitation } = context.messages;
  const allSites = await context.app.sites.list();
  const { role, name, siteIds } = readUserForm(context, allSites);
  return renderPage(context, {
    title: admin.users.add,
    issues,
    content: html`<section class="card"><h1>${admin.users.add}</h1><form method="post" action="/users/add">${formToken(context)}${oneTimeToken()}
${emailField(context, issues)}${userFields(context, { name, role, siteIds, allSites, issues })}
${await mailField(context, invitation.users.mailInvitation)}${note('info', invitation.users.hint)}
<div class="actions"><button class="button primary" type="submit">${invitation.users.invite}</button><a class="button" href="/users">${admin.cancel}</a></div></form></section>`,
  });
}

async function add(context: AuthenticatedContext) {
  const { sites, invite } = context.app;
  const { admin, invitation } = context.messages;
  const { issues, ...user } = readNewUserForm(context, await sites.list());
  if (!isFine(issues)) return addForm(context, issues);
  const mailIn = await readMailField(context);
  const link = await invite.newUser(user, auditContextOf(context), mailIn);
  if (!link) return addForm(context, { email: admin.users.emailTaken });
  return showLink(context, { title: invitation.users.invited(user.name), email: user.email, link });
}

async function edit(context: AuthenticatedContext, user: User, issues: UserIssues = {}) {
  const { sites, users, invitations, secondFactors, webSessions } = context.app;
  const { admin } = context.messages;
  const allSites = await sites.list();
  const shown = isFine(issues)
    ? { ...user, siteIds: await users.siteIdsOf(user.id) }
    : readUserForm(context, allSites);
  const pending = (await invitations.list()).get(user.id);
  return renderPage(context, {
    title: user.name,
    stylesheets: [accountStylesheet],
    issues,
    content: html`<section class="card"><h1>${user.name}</h1><p class="soft">${user.email}</p>
<form method="post" action="/users/${user.id}">${formToken(context)}
${userFields(context, { ...shown, role: user.role === UNKNOWN ? UNKNOWN : shown.role, allSites, issues, isSelf: isSelf(context, user) })}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/users">${admin.cancel}</a></div></form></section>
${await Promise.all(context.slots.map(({ userCard }) => userCard?.(context, user)))}
${!isSelf(context, user) && loginCard(context, user, { pending, hasSecondFactor: await secondFactors.has(user.id) })}
${!isSelf(context, user) && sessionCard(context, { sessions: await webSessions.list(user.id), action: `/users/${user.id}/sessions/end` })}`,
  });
}

async function change(context: AuthenticatedContext, user: User) {
  const { sites, users } = context.app;
  const { name, role, siteIds, issues } = readUserForm(context, await sites.list());
  // Only the name can be changed if it is the administrator's own account, or if the role is unknown to this release.
  const isOnlyName = isSelf(context, user) || user.role === UNKNOWN;
  if (isOnlyName) delete issues.sites;
  if (!isFine(issues)) return edit(context, user, issues);
  if (isOnlyName) return apply(context, user, { name });
  const before: SiteId[] = await users.siteIdsOf(user.id);
  return apply(context, user, {
    ...(name !== user.name && { name }),
    ...(role !== user.role && { role }),
    ...(String(siteIds) !== String(before.toSorted((one, other) => one - other)) && { siteIds }),
  });
}

async function endSessions(context: AuthenticatedContext, user: User) {
  const chosen = context.form.get('session');
  const which = chosen === null ? { except: context.session.tokenHash } : { tokenHash: chosen };
  await context.app.webSessions.endAudited(user, which, auditContextOf(context));
  return redirect(context, `/users/${user.id}`, chosen === null ? 'sessionsEnded' : 'sessionEnded');
}

async function apply(
  context: AuthenticatedContext,
  { id }: User,
  input: UserChange,
  notice: NoticeKind = 'userSaved',
) {
  if (Object.keys(input).length === 0) return redirect(context, '/users', notice);
  const outcome = await context.app.users.change(id, input, auditContextOf(context));
  return outcome === 'changed' ? redirect(context, '/users', notice) : refuse(context, outcome);
}

async function remove(context: AuthenticatedContext, { id }: User) {
  const outcome = await context.app.users.remove(id, auditContextOf(context));
  return outcome === 'removed' ? redirect(context, '/users', 'userRemoved') : refuse(context, outcome);
}

function askOff(context: AuthenticatedContext, { id, name }: User) {
  const { users: text } = context.messages.admin;
  return confirm(context, {
    ask: text.offAsk(name),
    what: text.offWhat,
    action: `/users/${id}/off`,
    button: text.switchOff,
    back: `/users/${id}`,
    isHarmless: true,
  });
}

function askRemove(context: AuthenticatedContext, { id, name }: User) {
  const { users: text } = context.messages.admin;
  return confirm(context, {
    ask: text.removeAsk(name),
    what: text.removeWhat,
    action: `/users/${id}/remove`,
    button: text.remove,
    back: `/users/${id}`,
  });
}

function refuse(context: AuthenticatedContext, outcome: 'last-admin' | 'unknown') {
  return outcome === 'last-admin'
    ? problemPage(context, 409, context.messages.admin.users.lastAdmin)
    : notFoundPage(context);
}

function isFine(issues: UserIssues): boolean {
  return Object.keys(issues).length === 0;
}
