// The choices in the forms of screens: what guests get, the profiles, what guests must enter, and the printer.

import type { ProfileId, SiteId } from '../../../kernel/ids.ts';
import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import { isFor, type Profile } from '../../../kernel/profiles/profile.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { sayAllowance } from '../../../kernel/vouchers/texts/allowance.ts';
import { DEFAULT_EXPIRE_MINUTES, DEFAULT_MAX_USES } from '../../../kernel/vouchers/voucher-order.ts';
import { belowField, described, selectField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { Printer } from '../../printers/printer.ts';
import { ASKED_FIELDS, SCREEN_OFFERS, type ScreenSettings } from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';

/** What can be chosen. */
export interface Choices {
  profiles: Profile[];
  printers: Printer[];
  allSites: Site[];
  hasMail: boolean;
}

interface Shown extends Choices {
  settings: ScreenSettings;
  siteId: SiteId;
  issues: FieldIssues;
}

const STANDARD_LIMITS = {
  maxUses: DEFAULT_MAX_USES,
  expireMinutes: DEFAULT_EXPIRE_MINUTES,
  downKbps: 0,
  upKbps: 0,
  quotaMb: 0,
};

/** What a screen without profiles gives: "1 device, 8 hours from first use". */
export function sayStandard(context: AuthenticatedContext): string {
  return sayAllowance(STANDARD_LIMITS, context);
}

/** An error and a hint of a group of choices. The link in the summary of errors leads to the first choice. */
function group(name: string, { hint, error }: { hint: string; error: string | undefined }) {
  return { attributes: described(name, { hint, error }), below: belowField(name, { hint, error }) };
}

export function offersField(
  { messages: { admin }, language, form }: AuthenticatedContext,
  { settings, issues }: Shown,
): Html {
  const text = SCREEN_TEXTS[language];
  const chosen = form.get('offers') ?? settings.offers;
  const { attributes, below } = group('offers', { hint: text.offersHint, error: issues.offers });
  const chip = (value: string, label: string, isChosen: boolean, isFirst = false) =>
    html`<label class="chip"><input${isFirst && html` id="offers"`} type="radio" name="offers" value="${value}"${isChosen && html` checked`}><span>${label}</span></label>`;
  return html`<fieldset class="field"${attributes}><legend>${text.offers}</legend><div class="chips">
${settings.offers === UNKNOWN && chip('', admin.notKnown, chosen === UNKNOWN || chosen === '')}${SCREEN_OFFERS.map((one, index) => chip(one, text.offersChoices[one], one === chosen, index === 0))}</div>${below}</fieldset>`;
}

/** The profiles that are ticked in the form, or else stored. */
function chosenProfiles({ form }: AuthenticatedContext, { profileIds }: ScreenSettings): string[] {
  return form.has('name') ? form.getAll('profile') : profileIds.map((id: ProfileId) => String(id));
}

/** A profile that does not belong to every site names its sites. In the form of one site, others are left out. */
function sitesOf({ language }: AuthenticatedContext, { siteIds }: Profile, allSites: Site[]): string {
  const names = allSites.filter(({ id }) => siteIds.includes(id)).map(({ name }) => name);
  return siteIds.length === 0 ? '' : SCREEN_TEXTS[language].onlyAt(names.join(', '));
}

export function profileTicks(context: AuthenticatedContext, shown: Shown): Html {
  const text = SCREEN_TEXTS[context.language];
  const { settings, allSites, issues } = shown;
  const chosen = chosenProfiles(context, settings);
  const offered = shown.profiles;
  const hint = `${text.profilesHint} ${text.profilesNone} ${sayStandard(context)}.`;
  const { attributes, below } = group('profile', { hint, error: issues.profile });
  const ticks = offered.map(
    (profile, index) =>
      html`<label class="tick"><input${index === 0 && html` id="profile"`} type="checkbox" name="profile" value="${profile.id}"${chosen.includes(String(profile.id)) && html` checked`}><span><span class="clamped" title="${profile.name}">${profile.name}</span><span class="sub">${[sayAllowance(profile, context), sitesOf(context, profile, allSites)].filter(Boolean).join(' · ')}</span></span></label>`,
  );
  return html`<fieldset class="field"${attributes}><legend>${text.profiles}</legend>${
    offered.length === 0
      ? html`<p class="soft">${text.noProfiles} <a href="/profiles">${text.addProfile}</a></p>`
      : html`<div class="choices">${ticks}</div>`
  }${below}</fieldset>`;
}

/** A rolling code is made ahead, so profiles whose vouchers end at check-out are not offered. */
export function profileField(context: AuthenticatedContext, shown: Shown): Html {
  const text = SCREEN_TEXTS[context.language];
  const { settings, allSites, issues } = shown;
  const [chosen = ''] = chosenProfiles(context, settings);
  const offered = shown.profiles.filter(({ nights }) => nights === undefined);
  return selectField({
    name: 'profile',
    label: text.profile,
    hint: text.profileHint,
    value: chosen,
    error: issues.profile,
    choices: [
      { value: '', label: `${text.standard} – ${sayStandard(context)}` },
      ...offered.map((profile) => ({
        value: String(profile.id),
        label: [`${profile.name} – ${sayAllowance(profile, context)}`, sitesOf(context, profile, allSites)]
          .filter(Boolean)
          .join(', '),
      })),
    ],
  });
}

/** Without a mail server, e-mail cannot be chosen; a link leads to its settings. */
export function askedFields(context: AuthenticatedContext, { settings, hasMail, issues }: Shown): Html {
  const { language, form } = context;
  const text = SCREEN_TEXTS[language];
  const isChosen = (field: (typeof ASKED_FIELDS)[number]) =>
    form.has('name') ? form.getAll('ask').includes(field) : settings.asks.includes(field);
  const { attributes, below } = group('ask', { hint: text.asksHint, error: issues.ask });
  const ticks = ASKED_FIELDS.map((field, index) => {
    const { label, hint } = text.asksChoices[field];
    const isOff = field === 'email' && !hasMail;
    return html`<div><label class="tick"><input${index === 0 && html` id="ask"`} type="checkbox" name="ask" value="${field}" aria-describedby="ask-${field}"${isChosen(field) && html` checked`}${isOff && !isChosen(field) && html` disabled`}>${label}</label><span class="sub" id="ask-${field}">${isOff ? html`${text.mailMissing} <a href="/settings/e-mail">${text.setupMail}</a>` : hint}</span></div>`;
  });
  return html`<fieldset class="field"${attributes}><legend>${text.asks}</legend><div class="choices asked">${ticks}</div>${below}</fieldset>`;
}

/** Pairs of a value and a label, as `enhance.js` reads them when another site is chosen. */
export function printersOf(
  { language }: AuthenticatedContext,
  printers: Printer[],
  siteId: SiteId,
): [string, string][] {
  const own = printers.filter((printer) => printer.siteId === siteId);
  return own.length === 0
    ? []
    : [
        ['', SCREEN_TEXTS[language].noPrinter],
        ...own.map(({ id, name }): [string, string] => [String(id), name]),
      ];
}

export function printerField(
  context: AuthenticatedContext,
  { printers, siteId, settings, issues }: Shown,
): Html {
  const text = SCREEN_TEXTS[context.language];
  const stored = settings.printerId;
  const choices = printersOf(context, printers, siteId).map(([value, label]) => ({ value, label }));
  const isGone = stored !== null && !choices.some(({ value }) => value === String(stored));
  const offered = isGone && choices.length === 0 ? [{ value: '', label: text.noPrinter }] : choices;
  const error = issues.printer;
  const hint = isGone ? text.printerGone : text.printerHint;
  return html`<div class="field"${offered.length === 0 && html` hidden`}><label for="printer">${text.printer}</label><select id="printer" name="printer"${described('printer', { hint, error })}>${offered.map(
    ({ value, label }) =>
      html`<option value="${value}"${value === (context.form.get('printer') ?? String(stored ?? '')) && html` selected`}>${label}</option>`,
  )}</select>${belowField('printer', { hint, error })}</div>`;
}

/** The profiles that a site has. */
export function profilesAt(profiles: Profile[], siteId: SiteId): Profile[] {
  return profiles.filter((profile) => isFor(profile, [siteId]));
}
