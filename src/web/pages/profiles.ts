// Profiles: presets for the form, for all sites or some.

import { asProfileId, asSiteId } from '../../domain/ids.ts';
import type { Site, SiteStore } from '../../domain/sites/site.ts';
import type { NewProfile, Profile, ProfileStore } from '../../domain/vouchers/profile.ts';
import { DEFAULT_EXPIRE_MINUTES, HIGHEST_INTEGER } from '../../domain/vouchers/voucher-order.ts';
import type { Answer } from '../../http/exchange.ts';
import { problemPage } from '../answer-visits.ts';
import { askFirst } from '../ask-first.ts';
import { durationInputs, readDuration, toDurationFields } from '../duration-field.ts';
import { textField } from '../fields.ts';
import { type Html, html } from '../html.ts';
import { answerPage, formToken, redirect } from '../layout.ts';
import type { Route } from '../routes.ts';
import { auditOf, type UserVisit } from '../visit.ts';
import { sayAllowance } from '../voucher-parts.ts';

const LONGEST_NAME = 60;
const NUMBERS = [
  { field: 'uses', limit: 'maxUses', least: 1, absent: 1 },
  { field: 'down', limit: 'downKbps', least: 0, absent: 0 },
  { field: 'up', limit: 'upKbps', least: 0, absent: 0 },
  { field: 'quota', limit: 'quotaMb', least: 0, absent: 0 },
] as const;

type Faults = Record<string, string>;
interface Needs {
  profiles: ProfileStore;
  sites: Pick<SiteStore, 'list'>;
}

export function makeProfilePages({ profiles, sites }: Needs): Route[] {
  return [
    { method: 'GET', path: '/profiles', access: 'admin', run: (visit) => list(visit) },
    { method: 'POST', path: '/profiles', access: 'admin', run: add },
    { method: 'GET', path: '/profiles/:profile', access: 'admin', run: (visit) => withProfile(visit, edit) },
    {
      method: 'POST',
      path: '/profiles/:profile',
      access: 'admin',
      run: (visit) => withProfile(visit, change),
    },
    {
      method: 'GET',
      path: '/profiles/:profile/remove',
      access: 'admin',
      run: (visit) => withProfile(visit, ask),
    },
    {
      method: 'POST',
      path: '/profiles/:profile/remove',
      access: 'admin',
      run: (visit) => withProfile(visit, remove),
    },
  ];

  async function withProfile(
    visit: UserVisit,
    run: (visit: UserVisit, profile: Profile) => Answer | Promise<Answer>,
  ) {
    const id = asProfileId(Number(visit.parameters.profile));
    const profile = (await profiles.list()).find((one) => one.id === id);
    return profile ? run(visit, profile) : problemPage(visit, 404, visit.words.problem.notFound);
  }

  async function add(visit: UserVisit) {
    const { profile, faults } = readProfile(visit, await sites.list());
    if (Object.keys(faults).length > 0) return list(visit, faults);
    await profiles.add(profile, auditOf(visit));
    return redirect('/profiles');
  }

  async function change(visit: UserVisit, before: Profile) {
    const { profile, faults } = readProfile(visit, await sites.list());
    if (Object.keys(faults).length > 0) return edit(visit, { ...before, ...profile }, faults);
    await profiles.change(before.id, profile, auditOf(visit));
    return redirect('/profiles');
  }

  async function remove(visit: UserVisit, { id }: Profile) {
    await profiles.remove(id, auditOf(visit));
    return redirect('/profiles');
  }

  function ask(visit: UserVisit, { id, name }: Profile) {
    const { profiles: text } = visit.words;
    return askFirst(visit, {
      ask: text.removeAsk(name),
      what: text.removeWhat,
      action: `/profiles/${id}/remove`,
      button: text.remove,
      back: '/profiles',
    });
  }

  async function edit(visit: UserVisit, profile: Profile, faults: Faults = {}) {
    const { admin } = visit.words;
    return answerPage(visit, {
      title: profile.name,
      status: Object.keys(faults).length > 0 ? 422 : 200,
      content: html`<section class="card"><h1>${profile.name}</h1><form method="post" action="/profiles/${profile.id}">${formToken(visit)}
${fields(visit, { profile, faults, sites: await sites.list() })}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/profiles">${admin.cancel}</a></div></form></section>`,
    });
  }

  async function list(visit: UserVisit, faults: Faults = {}) {
    const { profiles: text } = visit.words;
    const [all, known] = [await profiles.list(), await sites.list()];
    const { profile } = readProfile(visit, known);
    return answerPage(visit, {
      title: text.title,
      status: Object.keys(faults).length > 0 ? 422 : 200,
      content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<section class="card">${all.length === 0 ? html`<p class="soft">${text.empty}</p>` : table(visit, all, known)}</section>
<section class="card"><h2>${text.add}</h2><form method="post" action="/profiles">${formToken(visit)}
${fields(visit, { profile, faults, sites: known })}
<button class="button primary" type="submit">${text.add}</button></form></section>`,
    });
  }
}

function readProfile({ form, words }: UserVisit, sites: Site[]): { profile: NewProfile; faults: Faults } {
  const faults: Faults = {};
  const name = (form.get('name') ?? '').trim();
  if (name === '') faults.name = words.form.nameMissing;
  if ([...name].length > LONGEST_NAME) faults.name = words.form.nameTooLong(LONGEST_NAME);
  const profile: NewProfile = {
    name,
    maxUses: 1,
    expireMinutes: DEFAULT_EXPIRE_MINUTES,
    downKbps: 0,
    upKbps: 0,
    quotaMb: 0,
    siteIds: form
      .getAll('site')
      .map((text) => asSiteId(Number(text)))
      .filter((id) => sites.some((site) => site.id === id)),
  };
  for (const { field, limit, least, absent } of NUMBERS) {
    const text = (form.get(field) ?? '').trim();
    const value = text === '' ? absent : Number(text);
    if (/^\d*$/.test(text) && value >= least && value <= HIGHEST_INTEGER) profile[limit] = value;
    else faults[field] = words.form.number(least, HIGHEST_INTEGER);
  }
  if (form.get('duration')) {
    const minutes = readDuration(form);
    if (minutes === undefined) faults.duration = words.form.durationMissing;
    else profile.expireMinutes = minutes;
  }
  return { profile, faults };
}

interface Shown {
  profile: NewProfile;
  faults: Faults;
  sites: Site[];
}

function fields(visit: UserVisit, { profile, faults, sites }: Shown): Html {
  const { form: text, profiles } = visit.words;
  const labels = {
    uses: text.uses,
    down: text.down,
    up: text.up,
    quota: text.quota,
  };
  return html`${textField({ name: 'name', label: text.name, value: profile.name, required: true, error: faults.name })}
${validityField(visit, profile, faults.duration)}
${NUMBERS.map(({ field, limit, least }) =>
  textField({
    name: field,
    label: labels[field],
    type: 'number',
    value: visit.form.get(field) ?? profile[limit],
    error: faults[field],
    ...(least === 0 && { hint: text.unlimited }),
  }),
)}
<fieldset class="field"><legend>${profiles.forSites}</legend><div class="chips">${sites.map(
    ({ id, name }) =>
      html`<label class="chip"><input type="checkbox" name="site" value="${id}"${profile.siteIds.includes(id) && html` checked`}><span>${name}</span></label>`,
  )}</div><span class="hint">${profiles.sitesHint}</span></fieldset>`;
}

function validityField(visit: UserVisit, { expireMinutes }: NewProfile, fault: string | undefined): Html {
  const { duration, unit } = toDurationFields(expireMinutes);
  const shown = {
    duration: visit.form.get('duration') ?? duration,
    unit: visit.form.get('unit') ?? unit,
    attributes:
      fault === undefined ? undefined : html` aria-describedby="duration-error" aria-invalid="true"`,
  };
  return html`<fieldset class="field"><legend>${visit.words.form.validity}</legend>${durationInputs(visit, shown)}
${fault !== undefined && html`<span class="error" id="duration-error">${fault}</span>`}</fieldset>`;
}

function table(visit: UserVisit, all: Profile[], sites: Site[]): Html {
  const { profiles: text, form } = visit.words;
  const namesOf = ({ siteIds }: Profile) =>
    siteIds.length === 0
      ? text.allSites
      : sites
          .filter(({ id }) => siteIds.includes(id))
          .map(({ name }) => name)
          .join(', ');
  return html`<table><thead><tr><th scope="col">${form.name}</th><th scope="col">${text.allows}</th><th scope="col">${text.forSites}</th><th scope="col"><span class="hidden-text">${text.change}</span></th></tr></thead>
<tbody>${all.map(
    (
      profile,
    ) => html`<tr><td data-label="${form.name}">${profile.name}</td><td data-label="${text.allows}">${sayAllowance(profile, visit)}</td>
<td data-label="${text.forSites}">${namesOf(profile)}</td>
<td><a href="/profiles/${profile.id}">${text.change}</a> · <a class="risky" href="/profiles/${profile.id}/remove">${text.remove}</a></td></tr>`,
  )}</tbody></table>`;
}
