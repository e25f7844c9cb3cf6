// The form field to choose either all sites or selected sites. "All sites" is a separate choice, because selecting no
// site does not mean all sites.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { asSiteId, type SiteId } from '../../ids.ts';
import type { PageContext } from '../../pages/context.ts';
import type { Site } from '../site.ts';

type ChosenSites = 'all' | readonly SiteId[];

/** Reads the chosen sites, in ascending order. Returns `before` if the form contains neither "all" nor "chosen". */
export function readSiteChoice<Before>(
  form: URLSearchParams,
  before: Before,
  allSites: Site[],
): ChosenSites | Before {
  const choice = form.get('sites');
  if (choice === 'all') return 'all';
  if (choice !== 'chosen') return before;
  const chosen = new Set(form.getAll('site').map((id) => asSiteId(Number(id))));
  return allSites
    .map(({ id }) => id)
    .filter((id) => chosen.has(id))
    .sort((one, other) => one - other);
}

interface Shown {
  label: string;
  hint: string;
  sites: ChosenSites;
  allSites: Site[];
  error: string | undefined;
}

/** The style sheet shows the sites only while "selected sites" is chosen. */
export function siteChoice(
  { messages: { admin } }: PageContext,
  { label, hint, sites, allSites, error }: Shown,
): Html {
  const choice = (value: 'all' | 'chosen', said: string, isChosen: boolean) =>
    html`<label class="chip"><input${value === 'all' && html` id="sites"`} type="radio" name="sites" value="${value}"${isChosen && html` checked`}><span>${said}</span></label>`;
  return html`<fieldset class="field bound" aria-describedby="${error !== undefined && 'sites-error '}sites-hint"><legend>${label}</legend>
<div class="chips">${choice('all', admin.keys.allSites, sites === 'all')}${choice('chosen', admin.keys.chosenSites, sites !== 'all')}</div>
<div class="chosen"><div class="chips">${allSites.map(
    ({ id, name, active }) =>
      html`<label class="chip"><input type="checkbox" name="site" value="${id}"${sites !== 'all' && sites.includes(id) && html` checked`}><span>${active ? name : admin.users.siteOff(name)}</span></label>`,
  )}</div><span class="hint" id="sites-hint">${hint}</span></div>
${error !== undefined && html`<span class="error" id="sites-error">${error}</span>`}</fieldset>`;
}
