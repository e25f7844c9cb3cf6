// What the pages about people are made of: the table, the fields, the card about somebody's access.

import type { SiteId, UserId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import { SHORTEST_PASSWORD } from '../../domain/users/password.ts';
import type { Role, User } from '../../domain/users/user.ts';
import { selectField, textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { icon } from '../icons.ts';
import { formToken } from '../layout.ts';
import type { UserVisit } from '../visit.ts';
import type { PersonFaults } from './people-reading.ts';

export function peopleTable(
  visit: UserVisit,
  people: User[],
  { siteNames, owners }: { siteNames: (person: User) => string; owners: Set<UserId> },
): Html {
  const { people: factorText } = visit.words.secondFactor;
  const { people: text } = visit.words.admin;
  const labels = [text.name, text.email, text.role, text.sites, factorText.column, text.state];
  return html`<table><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}
<th scope="col"><span class="hidden-text">${text.change}</span></th></tr></thead><tbody>${people.map(
    (
      person,
    ) => html`<tr><td data-label="${text.name}"><span>${person.name}${person.id === visit.user.id && html` <span class="soft">(${text.you})</span>`}</span></td>
<td data-label="${text.email}">${person.email}</td>
<td class="short" data-label="${text.role}">${text[person.role]}</td>
<td data-label="${text.sites}">${siteNames(person) || html`<span class="soft">${text.noSites}</span>`}</td>
<td data-label="${factorText.column}">${owners.has(person.id) ? visit.words.admin.yes : html`<span class="soft">${visit.words.admin.no}</span>`}</td>
<td data-label="${text.state}">${activePill(visit, person)}</td>
<td class="doing"><a href="/people/${person.id}" aria-label="${text.changeHidden(person.name)}">${text.change}</a></td></tr>`,
  )}</tbody></table>`;
}

function activePill({ words: { admin } }: UserVisit, { active }: User): Html {
  return active
    ? html`<span class="pill valid">${icon('valid')}${admin.people.active}</span>`
    : html`<span class="pill expired">${icon('used')}${admin.people.off}</span>`;
}

interface Shown {
  name: string;
  role: Role;
  siteIds: SiteId[];
  allSites: Site[];
  faults: PersonFaults;
  isSelf?: boolean;
}

/** Of oneself only the name. */
export function personFields(visit: UserVisit, shown: Shown): Html {
  const { people: text } = visit.words.admin;
  const { name, role, faults, isSelf } = shown;
  const nameField = textField({
    name: 'name',
    label: text.name,
    hint: text.nameHint,
    value: name,
    error: faults.name,
    required: true,
  });
  if (isSelf) return html`${nameField}<p class="note">${icon('person')}<span>${text.ownRole}</span></p>`;
  const choices = (['operator', 'admin'] as const).map((value) => ({ value, label: text[value] }));
  return html`${nameField}${selectField({ name: 'role', label: text.role, value: role, choices })}${siteChips(visit, shown)}`;
}

function siteChips({ words: { admin } }: UserVisit, { siteIds, allSites }: Shown): Html {
  const { people: text } = admin;
  return html`<fieldset class="field" aria-describedby="sites-hint"><legend>${text.sites}</legend>
<div class="chips">${allSites.map(
    ({ id, name, active }) =>
      html`<label class="chip"><input type="checkbox" name="site-${id}" value="1"${siteIds.includes(id) && html` checked`}><span>${active ? name : text.siteOff(name)}</span></label>`,
  )}</div><span class="hint" id="sites-hint">${allSites.length === 0 ? text.noSitesYet : text.sitesHint}</span></fieldset>`;
}

export function emailField({ words, form }: UserVisit, faults: PersonFaults): Html {
  const { people: text } = words.admin;
  const value = form.get('email') ?? '';
  return textField({
    name: 'email',
    label: text.email,
    type: 'email',
    value,
    error: faults.email,
    required: true,
  });
}

export function passwordField({ words }: UserVisit, faults: PersonFaults): Html {
  const { people: text } = words.admin;
  return textField({
    name: 'password',
    label: text.password,
    type: 'password',
    hint: text.passwordHint(SHORTEST_PASSWORD),
    error: faults.password,
    autocomplete: 'new-password',
  });
}

export function accessCard(visit: UserVisit, person: User, hasSecondFactor: boolean): Html {
  const { people: text } = visit.words.admin;
  return html`<section class="card"><h2>${text.access}</h2><p>${activePill(visit, person)}</p><div class="actions">
${person.active && html`<a class="button" href="/people/${person.id}/password">${icon('key')}${text.newPassword}</a>`}
${hasSecondFactor && html`<a class="button risky" href="/people/${person.id}/second-factor">${visit.words.secondFactor.people.remove}</a>`}
${
  person.active
    ? html`<a class="button risky" href="/people/${person.id}/off">${text.switchOff}</a>`
    : html`<form method="post" action="/people/${person.id}/on">${formToken(visit)}<button class="button primary" type="submit">${text.switchOn}</button></form>`
}</div></section>`;
}
