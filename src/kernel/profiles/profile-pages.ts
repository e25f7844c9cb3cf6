// Profiles: presets for the voucher form, for all sites or for selected sites.

import { emptyState } from '../../platform/pages/ui/empty-state.ts';
import { belowField, described, textField } from '../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../platform/pages/ui/html.ts';
import { hasInvisible } from '../../platform/text/invisible.ts';
import { asProfileId } from '../ids.ts';
import { affected, confirm } from '../pages/confirm.ts';
import { type AuthenticatedContext, auditContextOf } from '../pages/context.ts';
import { formToken, redirect, renderPage } from '../pages/layout.ts';
import { notFoundPage } from '../pages/problem-page.ts';
import type { Route } from '../pages/route.ts';
import { readSiteChoice, siteChoice } from '../sites/pages/site-choice.ts';
import type { Site } from '../sites/site.ts';
import { MAX_NIGHTS } from '../vouchers/nights.ts';
import { durationInputs, readDuration, toDurationFields } from '../vouchers/pages/duration-field.ts';
import { quotaInputs, readQuota, readSpeed, toLimitFields } from '../vouchers/pages/limit-fields.ts';
import { sayAllowance } from '../vouchers/texts/allowance.ts';
import { DEFAULT_EXPIRE_MINUTES, MAX_INTEGER } from '../vouchers/voucher-order.ts';
import type { NewProfile, Profile } from './profile.ts';

const MAX_NAME_LENGTH = 60;

type Issues = Record<string, string>;

export const profileRoutes: Route[] = [
  { method: 'GET', path: '/profiles', permission: 'admin', run: list },
  { method: 'POST', path: '/profiles', permission: 'admin', run: add },
  { method: 'GET', path: '/profiles/:profile', permission: 'admin', run: withProfile(edit) },
  { method: 'POST', path: '/profiles/:profile', permission: 'admin', run: withProfile(change) },
  { method: 'GET', path: '/profiles/:profile/remove', permission: 'admin', run: withProfile(ask) },
  { method: 'POST', path: '/profiles/:profile/remove', permission: 'admin', run: withProfile(remove) },
];

function withProfile(
  run: (context: AuthenticatedContext, profile: Profile) => Response | Promise<Response>,
): (context: AuthenticatedContext) => Promise<Response> {
  return async (context) => {
    const id = asProfileId(Number(context.parameters.profile));
    const profile = (await context.app.profiles.list()).find((one) => one.id === id);
    return profile ? run(context, profile) : notFoundPage(context);
  };
}

async function add(context: AuthenticatedContext) {
  const { sites, profiles } = context.app;
  const { profile, issues } = await readProfile(context, await sites.list());
  if (Object.keys(issues).length > 0) return list(context, issues);
  await profiles.add(profile, auditContextOf(context));
  return redirect(context, '/profiles', 'profileAdded');
}

async function change(context: AuthenticatedContext, before: Profile) {
  const { sites, profiles } = context.app;
  const { profile, issues } = await readProfile(context, await sites.list());
  if (Object.keys(issues).length > 0) return edit(context, { ...before, ...profile }, issues);
  await profiles.change(before.id, profile, auditContextOf(context));
  return redirect(context, '/profiles', 'profileSaved');
}

async function remove(context: AuthenticatedContext, { id }: Profile) {
  await context.app.profiles.remove(id, auditContextOf(context));
  return redirect(context, '/profiles', 'profileRemoved');
}

async function ask(context: AuthenticatedContext, { id, name }: Profile) {
  const { profiles: text } = context.messages;
  const { screens, reserves, sites } = context.app;
  const users = (await screens.list()).filter(({ profileIds }) => profileIds.includes(id));
  const ofReserve = (await reserves.list()).filter(({ profileId }) => profileId === id);
  const known = new Map((await sites.list()).map((site) => [site.id, site.name]));
  return confirm(context, {
    ask: text.removeAsk(name),
    what: text.removeWhat,
    details: affected(text.removeUsed, [
      ...users.map((screen) => text.ofScreen(screen.name, screen.siteName)),
      ...ofReserve.map(({ siteId }) => text.ofReserve(known.get(siteId) ?? '')),
    ]),
    action: `/profiles/${id}/remove`,
    button: text.remove,
    back: '/profiles',
  });
}

async function edit(context: AuthenticatedContext, profile: Profile, issues: Issues = {}) {
  const { admin } = context.messages;
  return renderPage(context, {
    title: profile.name,
    issues,
    content: html`<section class="card"><h1>${profile.name}</h1><form method="post" action="/profiles/${profile.id}">${formToken(context)}
${fields(context, { profile, issues, sites: await context.app.sites.list() })}
<div class="actions"><button class="button primary" type="submit">${admin.save}</button><a class="button" href="/profiles">${admin.cancel}</a></div></form></section>`,
  });
}

async function list(context: AuthenticatedContext, issues: Issues = {}) {
  const { profiles, sites } = context.app;
  const { profiles: text } = context.messages;
  const [all, known] = [await profiles.list(), await sites.list()];
  const { profile } = await readProfile(context, known);
  return renderPage(context, {
    title: text.title,
    issues,
    content: html`<h1>${text.title}</h1><p>${text.intro}</p>
<section class="card">${all.length === 0 ? emptyState('bookmark', text.empty) : table(context, all, known)}</section>
<section class="card"><h2>${text.add}</h2><form method="post" action="/profiles">${formToken(context)}
${fields(context, { profile, issues, sites: known })}
<button class="button primary" type="submit">${text.add}</button></form></section>`,
  });
}

async function readProfile(
  context: AuthenticatedContext,
  sites: Site[],
): Promise<{ profile: NewProfile; issues: Issues }> {
  const { app, form, messages } = context;
  const issues: Issues = {};
  const name = (form.get('name') ?? '').trim();
  if (name === '') issues.name = messages.form.nameMissing;
  if (hasInvisible(name)) issues.name = messages.form.notPlain;
  if ([...name].length > MAX_NAME_LENGTH) issues.name = messages.form.nameTooLong(MAX_NAME_LENGTH);
  const amount = (field: string, value: number | undefined) => {
    if (value === undefined) issues[field] = messages.form.amount;
    return value ?? 0;
  };
  const profile: NewProfile = {
    name,
    maxUses: 1,
    expireMinutes: DEFAULT_EXPIRE_MINUTES,
    downKbps: amount('down', readSpeed(context, 'down')),
    upKbps: amount('up', readSpeed(context, 'up')),
    quotaMb: amount('quota', readQuota(context)),
    siteIds: [],
  };
  const chosen = readSiteChoice(form, 'all', sites);
  if (chosen !== 'all') profile.siteIds = [...chosen];
  if (chosen.length === 0) issues.sites = messages.admin.keys.sitesMissing;
  const uses = (form.get('uses') ?? '').trim() || '1';
  if (/^\d+$/.test(uses) && Number(uses) >= 1 && Number(uses) <= MAX_INTEGER) profile.maxUses = Number(uses);
  else issues.uses = messages.form.number(1, MAX_INTEGER);
  if (form.get('unit') === 'nights') {
    const nights = Number(form.get('duration'));
    if (Number.isInteger(nights) && nights >= 1 && nights <= MAX_NIGHTS) profile.nights = nights;
    else issues.duration = messages.form.number(1, MAX_NIGHTS);
    const outdated = await app.findOutdated([{ what: 'order', value: 'nights' }]);
    if (outdated) issues.duration = messages.admin.outdated(outdated);
  } else if (form.get('duration')) {
    const minutes = readDuration(form);
    if (minutes === undefined) issues.duration = messages.form.durationMissing;
    else profile.expireMinutes = minutes;
  }
  return { profile, issues };
}

interface Shown {
  profile: NewProfile;
  issues: Issues;
  sites: Site[];
}

function fields(context: AuthenticatedContext, { profile, issues, sites }: Shown): Html {
  const { form: text, profiles } = context.messages;
  const limits = toLimitFields(profile, context.language);
  const typed = (field: keyof typeof limits) => context.form.get(field) ?? limits[field];
  return html`${textField({ name: 'name', label: text.name, value: profile.name, required: true, error: issues.name })}
${validityField(context, profile, issues.duration)}
${textField({ name: 'uses', label: text.uses, type: 'number', value: context.form.get('uses') ?? profile.maxUses, error: issues.uses })}
${(['down', 'up'] as const).map((name) =>
  textField({
    name,
    label: text[name],
    inputmode: 'decimal',
    value: typed(name),
    error: issues[name],
    hint: text.unlimited,
  }),
)}
<div class="field"><label for="quota">${text.quota}</label>
${quotaInputs(context, { quota: typed('quota'), quotaUnit: typed('quotaUnit'), attributes: described('quota', { hint: text.unlimited, error: issues.quota }) })}
${belowField('quota', { hint: text.unlimited, error: issues.quota })}</div>
${siteChoice(context, {
  label: profiles.forSites,
  hint: profiles.sitesHint,
  sites: profile.siteIds.length === 0 && !issues.sites ? 'all' : profile.siteIds,
  allSites: sites,
  error: issues.sites,
})}`;
}

function validityField(
  context: AuthenticatedContext,
  { expireMinutes, nights }: NewProfile,
  issue: string | undefined,
): Html {
  const { duration, unit } = nights
    ? { duration: String(nights), unit: 'nights' }
    : toDurationFields(expireMinutes);
  const shown = {
    duration: context.form.get('duration') ?? duration,
    unit: context.form.get('unit') ?? unit,
    nights: context.messages.profiles.nights,
    attributes:
      issue === undefined ? undefined : html` aria-describedby="duration-error" aria-invalid="true"`,
  };
  return html`<fieldset class="field"><legend>${context.messages.form.validity}</legend>${durationInputs(context, shown)}
${issue !== undefined && html`<span class="error" id="duration-error">${issue}</span>`}</fieldset>`;
}

function table(context: AuthenticatedContext, all: Profile[], sites: Site[]): Html {
  const { profiles: text, form } = context.messages;
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
    ) => html`<tr><td data-label="${form.name}">${profile.name}</td><td data-label="${text.allows}">${sayAllowance(profile, context)}</td>
<td data-label="${text.forSites}">${namesOf(profile)}</td>
<td class="doing"><a href="/profiles/${profile.id}">${text.change}</a><a class="risky" href="/profiles/${profile.id}/remove">${text.remove}</a></td></tr>`,
  )}</tbody></table>`;
}
