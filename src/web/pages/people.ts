// People: who may sign in, as what and for which sites. Adding, changing, switching off and on, new passwords.

import { asUserId, type SiteId } from '../../domain/ids.ts';
import type { SiteStore } from '../../domain/sites/site.ts';
import { hashPassword, makePassword } from '../../domain/users/password.ts';
import type { SecondFactorStore } from '../../domain/users/second-factor.ts';
import type { User, UserChange, UserStore } from '../../domain/users/user.ts';
import type { WebSessionStore } from '../../domain/users/web-session.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { html } from '../html.ts';
import { icon } from '../icons.ts';
import { answerPage, formToken, redirect, sentOnce } from '../layout.ts';
import type { Route } from '../routes.ts';
import { shownOnce } from '../shown-once.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { accessCard, emailField, passwordField, peopleTable, personFields } from './people-parts.ts';
import { type PersonFaults, readNewPerson, readPerson } from './people-reading.ts';
import { ruleCard } from './people-second-factor.ts';
import { goodNote } from './sites-trouble.ts';

interface Needs {
  users: Pick<UserStore, 'list' | 'add' | 'change' | 'setPassword' | 'siteIdsOf' | 'listSiteIds'>;
  sites: Pick<SiteStore, 'list'>;
  webSessions: Pick<WebSessionStore, 'endOthers'>;
  secondFactors: Pick<SecondFactorStore, 'has' | 'listOwners'>;
}

type Run = (visit: UserVisit, person: User) => Answer | Promise<Answer>;

export function makePeoplePages({ users, sites, webSessions, secondFactors }: Needs): Route[] {
  const get = (path: string, run: Run): Route => ({
    method: 'GET',
    path,
    access: 'admin',
    run: (visit) => withPerson(visit, run),
  });
  const post = (path: string, run: Run): Route => ({ ...get(path, run), method: 'POST' });
  return [
    { method: 'GET', path: '/people', access: 'admin', run: list },
    { method: 'GET', path: '/people/add', access: 'admin', run: (visit) => addForm(visit) },
    { method: 'POST', path: '/people/add', access: 'admin', run: add },
    get('/people/:person', (visit, person) => edit(visit, person)),
    post('/people/:person', change),
    get('/people/:person/password', others(askPassword)),
    post('/people/:person/password', others(renewPassword)),
    get('/people/:person/off', others(askOff)),
    post(
      '/people/:person/off',
      others((visit, person) => apply(visit, person, { active: false })),
    ),
    post('/people/:person/on', (visit, person) => apply(visit, person, { active: true })),
  ];

  async function withPerson(visit: UserVisit, run: Run) {
    const id = asUserId(Number(visit.parameters.person));
    const person = (await users.list()).find((one) => one.id === id);
    return person ? run(visit, person) : problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function list(visit: UserVisit) {
    const { people: text } = visit.words.admin;
    const [all, siteIds, allSites, owners] = await Promise.all([
      users.list(),
      users.listSiteIds(),
      sites.list(),
      secondFactors.listOwners(),
    ]);
    const siteNames = ({ id, role }: User) =>
      role === 'admin'
        ? text.allSites
        : allSites
            .filter((site) => siteIds.get(id)?.includes(site.id))
            .map(({ name }) => name)
            .join(', ');
    return answerPage(visit, {
      title: text.title,
      content: html`<h1>${text.title}</h1>${visit.query.get('said') === 'saved' && goodNote(visit.words.settings.saved)}<p>${text.intro}</p>
<p><a class="button primary" href="/people/add">${icon('plus')}<span>${text.add}</span></a></p>
<section class="card">${peopleTable(visit, all, { siteNames, owners })}</section>
${ruleCard(visit)}`,
    });
  }

  async function addForm(visit: UserVisit, faults: PersonFaults = {}) {
    const { admin } = visit.words;
    const allSites = await sites.list();
    const { role, name, siteIds } = readPerson(visit, allSites);
    return answerPage(visit, {
      title: admin.people.add,
      status: isFine(faults) ? 200 : 422,
      content: html`<section class="card"><h1>${admin.people.add}</h1><form method="post" action="/people/add">${formToken(visit)}${sentOnce()}
${emailField(visit, faults)}${personFields(visit, { name, role, siteIds, allSites, faults })}${passwordField(visit, faults)}
<div class="actions"><button class="button primary" type="submit">${admin.people.add}</button><a class="button" href="/people">${admin.cancel}</a></div></form></section>`,
    });
  }

  async function add(visit: UserVisit) {
    const { people: text } = visit.words.admin;
    const { email, typedPassword, faults, ...person } = readNewPerson(visit, await sites.list());
    if (!isFine(faults)) return addForm(visit, faults);
    const password = typedPassword || makePassword();
    const id = await users.add(
      { ...person, email, passwordHash: await hashPassword(password), createdAtMs: visit.nowMs },
      auditOf(visit),
    );
    if (id === undefined) return addForm(visit, { email: text.emailTaken });
    return typedPassword
      ? redirect('/people')
      : showPassword(visit, { title: text.made(person.name), email, password });
  }

  async function edit(visit: UserVisit, person: User, faults: PersonFaults = {}) {
    const { admin } = visit.words;
    const allSites = await sites.list();
    const shown = isFine(faults)
      ? { ...person, siteIds: await users.siteIdsOf(person.id) }
      : readPerson(visit, allSites);
    return answerPage(visit, {
      title: person.name,
      status: isFine(faults) ? 200 : 422,
      content: html`<section class="card"><h1>${person.name}</h1><p class="soft">${person.email}</p>
<form method="post" action="/people/${person.id}">${formToken(visit)}
${personFields(visit, { ...shown, allSites, faults, isSelf: isSelf(visit, person) })}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/people">${admin.cancel}</a></div></form></section>
${!isSelf(visit, person) && accessCard(visit, person, await secondFactors.has(person.id))}`,
    });
  }

  async function change(visit: UserVisit, person: User) {
    const { name, role, siteIds, faults } = readPerson(visit, await sites.list());
    if (!isFine(faults)) return edit(visit, person, faults);
    if (isSelf(visit, person)) return apply(visit, person, { name });
    const before: SiteId[] = await users.siteIdsOf(person.id);
    return apply(visit, person, {
      ...(name !== person.name && { name }),
      ...(role !== person.role && { role }),
      ...(String(siteIds) !== String(before.toSorted((one, other) => one - other)) && { siteIds }),
    });
  }

  async function apply(visit: UserVisit, { id }: User, wish: UserChange) {
    if (Object.keys(wish).length === 0) return redirect('/people');
    const outcome = await users.change(id, wish, auditOf(visit));
    if (outcome === 'changed') return redirect('/people');
    return outcome === 'last-admin'
      ? problemPage(visit, 409, visit.words.admin.people.lastAdmin)
      : problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function renewPassword(visit: UserVisit, { id, name, email }: User) {
    const password = makePassword();
    await users.setPassword(email, await hashPassword(password), auditOf(visit));
    await webSessions.endOthers(id);
    return showPassword(visit, { title: visit.words.admin.people.passwordMade(name), email, password });
  }
}

function askPassword(visit: UserVisit, { id, name }: User) {
  const { people: text } = visit.words.admin;
  return askFirst(visit, {
    ask: text.newPasswordAsk(name),
    what: text.newPasswordWhat,
    action: `/people/${id}/password`,
    button: text.newPassword,
    back: `/people/${id}`,
  });
}

function askOff(visit: UserVisit, { id, name }: User) {
  const { people: text } = visit.words.admin;
  return askFirst(visit, {
    ask: text.offAsk(name),
    what: text.offWhat,
    action: `/people/${id}/off`,
    button: text.switchOff,
    back: `/people/${id}`,
  });
}

function showPassword(visit: UserVisit, made: { title: string; email: string; password: string }) {
  return answerPage(visit, {
    title: made.title,
    content: html`<section class="card"><h1>${made.title}</h1><p>${visit.words.admin.people.passwordFor(made.email)}</p>
${shownOnce(visit, made.password, '/people')}</section>`,
  });
}

/** What nobody may do to themselves. */
function others(run: Run): Run {
  return (visit, person) =>
    isSelf(visit, person)
      ? problemPage(visit, 409, visit.words.admin.people.notYourself)
      : run(visit, person);
}

function isSelf({ user }: UserVisit, { id }: User): boolean {
  return user.id === id;
}

function isFine(faults: PersonFaults): boolean {
  return Object.keys(faults).length === 0;
}
