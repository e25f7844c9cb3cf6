// The last step of the wizard that adds sites: the controller's sites as checkboxes, each with the name that the site
// gets here. Sites that were added before are shown as such. A long list can be searched.

import { belowField, described, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import { withoutInvisible } from '../../../platform/text/invisible.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken, oneTimeToken } from '../../pages/layout.ts';
import type { Site } from '../site.ts';
import { TEST_ORDER } from '../test-site.ts';
import {
  controllerSiteField,
  hiddenFields,
  importField,
  issueOfName,
  MAX_NAME_LENGTH,
  nameField,
  readBasics,
  type SiteFormIssues,
} from './site-forms.ts';
import { type Choosing, choiceForm, type SiteChoice, type WizardPurpose } from './wizard-steps.ts';

/** A controller may have thousands of sites, but a page stays small. */
const MAX_SHOWN = 100;

interface ChosenSite {
  controllerSite: string;
  name: string;
}

const nameFieldOf = (controllerSite: string) => `name-${controllerSite}`;

/** Reads which sites the user has ticked, or the one that the user has typed, and how they are named here. */
export function readChosen(context: AuthenticatedContext): { chosen: ChosenSite[]; issues: SiteFormIssues } {
  const { form, messages } = context;
  const { sites: text } = messages.admin;
  const ids = new Set(form.getAll('site').map((id) => id.trim()));
  if (ids.size > MAX_SHOWN) return { chosen: [], issues: { site: text.tooManySites(MAX_SHOWN) } };
  const chosen = [...ids].map((controllerSite) => ({
    controllerSite,
    name: (form.get(nameFieldOf(controllerSite)) ?? form.get('name') ?? '').trim(),
  }));
  const issues: SiteFormIssues = {};
  if (chosen.length === 0) issues.site = text.chooseSite;
  for (const { controllerSite, name } of chosen) {
    const siteIssue = issueOfName(context, controllerSite);
    if (siteIssue) issues.site = siteIssue;
    const nameIssue = issueOfName(context, name);
    if (nameIssue) issues[form.has('name') ? 'name' : nameFieldOf(controllerSite)] = nameIssue;
  }
  return { chosen, issues };
}

/** The fields for a site whose name on the controller is typed. */
export function typedFields(context: AuthenticatedContext, issues: SiteFormIssues): Html {
  const { form, messages } = context;
  const site = { value: form.get('site') ?? 'default', hint: messages.admin.sites.controllerSiteHint };
  return html`${nameField(context, { value: form.get('name') ?? '', error: issues.name })}
${controllerSiteField(context, { ...site, error: issues.site })}`;
}

export function choosePage(
  context: AuthenticatedContext,
  purpose: WizardPurpose,
  choosing: Choosing,
): Response {
  const { sites: text } = context.messages.admin;
  const { choices, issues = {} } = choosing;
  const isTyped = choices.length === 0;
  const canStore = isTyped || choices.some(({ twin }) => !twin);
  const { importsForeign } = readBasics(context).basics;
  const more = html`${importField(context, importsForeign)}<p class="soft">${text.sitesTest(TEST_ORDER.name)}</p>`;
  return choiceForm(context, purpose, choosing, {
    title: text.sitesTitle,
    intro: choices.length > MAX_SHOWN && searchForm(context, purpose, choosing),
    fields: html`${oneTimeToken()}${isTyped ? typedFields(context, issues) : tickFields(context, choices, issues)}${canStore ? more : html`<p>${text.allTaken}</p>`}`,
    canStore,
  });
}

function searchForm(context: AuthenticatedContext, purpose: WizardPurpose, choosing: Choosing): Html {
  const { sites: text } = context.messages.admin;
  const value = context.form.get('find') ?? '';
  return html`<form method="post" action="${purpose.path}/store">${formToken(context)}${hiddenFields({ ...purpose.carried, ...choosing.held })}
${textField({ name: 'find', label: text.findSite, hint: text.findSiteHint(MAX_SHOWN), value })}
<div class="actions"><button class="button">${text.find}</button></div></form>`;
}

function tickFields(context: AuthenticatedContext, choices: SiteChoice[], issues: SiteFormIssues): Html {
  const { sites: text } = context.messages.admin;
  const free = choices.filter(({ twin }) => !twin);
  // The only site that can be added is ticked already.
  const isSent = context.form.has('import');
  const ticked = new Set(
    !isSent && free.length === 1 ? free.map(({ id }) => id) : context.form.getAll('site'),
  );
  const shown = findShown(context, choices, ticked);
  const below = { hint: text.sitesHint, error: issues.site };
  return html`<fieldset class="field" id="site"${described('site', below)}><legend><span class="hidden-text">${text.sitesTitle}</span></legend>${belowField('site', below)}
<ul class="ticks"><li class="pick"><label class="tick" hidden><input type="checkbox" data-all="site">${text.allSites}</label><span class="selected soft" role="status" hidden><strong></strong> ${text.selected}</span></li>
${shown.map((choice) => (choice.twin ? takenRow(context, choice, choice.twin) : tickRow(context, choice, { isTicked: ticked.has(choice.id), issues })))}</ul></fieldset>`;
}

/** Finds the sites that the page shows: ticked sites first, then sites that can be added, by name. */
function findShown(
  { form, language }: AuthenticatedContext,
  choices: SiteChoice[],
  ticked: ReadonlySet<string>,
): SiteChoice[] {
  const collator = new Intl.Collator(language, { numeric: true });
  const sorted = choices.toSorted((one, other) => collator.compare(sayName(one), sayName(other)));
  if (sorted.length <= MAX_SHOWN) return sorted;
  const sought = (form.get('find') ?? '').trim().toLowerCase();
  const rank = ({ id, twin }: SiteChoice) => (ticked.has(id) ? 0 : twin ? 2 : 1);
  return sorted
    .filter((choice) => `${choice.name} ${choice.id}`.toLowerCase().includes(sought))
    .sort((one, other) => rank(one) - rank(other))
    .slice(0, MAX_SHOWN);
}

interface TickRow {
  isTicked: boolean;
  issues: SiteFormIssues;
}

function tickRow(context: AuthenticatedContext, choice: SiteChoice, { isTicked, issues }: TickRow): Html {
  const { form, messages } = context;
  const { sites: text } = messages.admin;
  const field = nameFieldOf(choice.id);
  const value = form.get(field) ?? sayName(choice);
  const error = issues[field];
  return html`<li class="pick"><label class="tick"><input type="checkbox" name="site" value="${choice.id}"${isTicked && html` checked`}>${sayChoice(choice)}</label>
<div class="named"><span class="hidden-text"><label for="${field}">${text.nameOf(sayName(choice))}</label></span><input id="${field}" name="${field}" value="${value}" autocomplete="off"${described(field, { error })}>${belowField(field, { error })}</div></li>`;
}

function takenRow({ messages: { admin } }: AuthenticatedContext, choice: SiteChoice, twin: Site): Html {
  return html`<li class="pick"><span class="taken">${icon('valid')}${sayChoice(choice, admin.sites.siteTaken(twin.name))}</span></li>`;
}

function sayChoice(choice: SiteChoice, remark?: string): Html {
  const name = sayName(choice);
  return html`<span>${name}${name !== choice.id && html` <span class="sub">${choice.id}</span>`}${remark && html` <span class="sub">${remark}</span>`}</span>`;
}

/** The name that the controller gives the site, as far as it can be its name here. */
function sayName({ id, name }: SiteChoice): string {
  return [...withoutInvisible(name).trim()].slice(0, MAX_NAME_LENGTH).join('') || id;
}
