// The forms to add and to change a screen: what every screen has, and what only a kiosk or only a rolling code has.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { textArea, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { localeOf } from '../../../platform/texts/durations.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import type { ScreenIssues, TypedScreenSettings } from '../add-screen.ts';
import {
  DEFAULT_SCREEN,
  MAX_IDLE_MINUTES,
  MAX_PER_DAY,
  MAX_PER_MINUTE,
  MAX_SCREEN_NAME_LENGTH,
  MAX_SCREEN_PROFILES,
  MAX_TERMS_LENGTH,
  SCREEN_KINDS,
  type Screen,
  type ScreenKind,
  type ScreenSettings,
} from '../screen.ts';
import { SCREEN_TEXTS } from '../screen-texts.ts';
import {
  askedFields,
  type Choices,
  offersField,
  printerField,
  printersOf,
  profileField,
  profileTicks,
} from './screen-choices.ts';

/** The typed settings, for `addScreen` and `changeScreen`. Fields that the form does not have stay as they are. */
export function readTyped({ form }: AuthenticatedContext, kind: string): TypedScreenSettings {
  const text = (name: string) => form.get(name) ?? undefined;
  const typed = {
    name: text('name'),
    profileIds: form.getAll('profile').filter(Boolean),
    perMinute: text('per-minute'),
    perDay: text('per-day'),
  };
  if (kind === 'rolling') return { ...typed, idleMinutes: text('idle') };
  return {
    ...typed,
    offers: text('offers'),
    asks: form.getAll('ask'),
    printerId: text('printer'),
    terms: text('terms'),
  };
}

/** The error texts, by the names of the fields. */
export function sayIssues({ messages, language }: AuthenticatedContext, issues: ScreenIssues): FieldIssues {
  const { form } = messages;
  const text = SCREEN_TEXTS[language];
  const names = {
    missing: form.nameMissing,
    'too-long': form.nameTooLong(MAX_SCREEN_NAME_LENGTH),
    'not-plain': form.notPlain,
  };
  const { terms } = issues;
  return {
    site: issues.site && text.siteMissing,
    name: issues.name && names[issues.name],
    offers: issues.offers && text.choiceMissing,
    profile:
      issues.profileIds &&
      (issues.profileIds === 'too-many' ? text.profilesTooMany(MAX_SCREEN_PROFILES) : text.profileWrong),
    ask: issues.asks && (issues.asks === 'no-mail' ? text.mailMissing : text.choiceMissing),
    printer: issues.printerId && text.printerWrong,
    'per-minute': issues.perMinute && form.number(1, MAX_PER_MINUTE),
    'per-day': issues.perDay && form.number(1, MAX_PER_DAY),
    idle: issues.idleMinutes && form.number(1, MAX_IDLE_MINUTES),
    terms: terms && (terms === 'too-long' ? text.termsTooLong(maxTerms(language)) : text.termsNotPlain),
  };
}

export function maxTerms(language: AuthenticatedContext['language']): string {
  return MAX_TERMS_LENGTH.toLocaleString(localeOf(language));
}

/** The choice between the kinds. Each is a link to the form for that kind. */
export function kindChoice({ language }: AuthenticatedContext, rest: string): Html {
  const text = SCREEN_TEXTS[language];
  return html`<ul class="kinds">${SCREEN_KINDS.map(
    (kind) =>
      html`<li class="card">${drawing(kind)}<h3>${text.kinds[kind].name}</h3><p>${text.kinds[kind].what}</p><a class="button" href="/screens/add?kind=${kind}${rest}">${text.chooseThis}<span class="hidden-text">: ${text.kinds[kind].name}</span></a></li>`,
  )}</ul>`;
}

/** A small drawing of the screen: buttons to tap, or a code. */
function drawing(kind: ScreenKind): Html {
  const shown =
    kind === 'kiosk'
      ? html`<rect class="button-shape" x="30" y="26" width="60" height="12" rx="4"/><rect class="button-shape" x="30" y="44" width="60" height="12" rx="4"/><rect class="quiet-shape" x="44" y="64" width="32" height="4" rx="2"/>`
      : html`<rect class="quiet-shape" x="36" y="22" width="48" height="4" rx="2"/><text x="60" y="48" text-anchor="middle">04827</text><text x="60" y="64" text-anchor="middle">15936</text>`;
  return html`<svg class="drawing" viewBox="0 0 120 92" aria-hidden="true"><rect class="frame-shape" x="14" y="6" width="92" height="72" rx="8"/>${shown}<path class="foot-shape" d="M44 86h32"/></svg>`;
}

export function guide({ language }: AuthenticatedContext, kind: ScreenKind): Html {
  const text = SCREEN_TEXTS[language];
  return html`<h2>${text.guide}</h2><ol class="guide">${text.kinds[kind].steps.map((step) => html`<li>${step}</li>`)}</ol>`;
}

interface AddForm extends Choices {
  kind: ScreenKind;
  sites: Site[];
  site: Site;
  issues: FieldIssues;
}

export function addScreenForm(context: AuthenticatedContext, shown: AddForm): Html {
  const { admin } = context.messages;
  const text = SCREEN_TEXTS[context.language];
  const { kind, sites, site, issues } = shown;
  const fields = { ...shown, settings: DEFAULT_SCREEN, siteId: site.id };
  const hasTerms = issues.terms !== undefined || (context.form.get('terms') ?? '') !== '';
  return html`<form method="post" action="/screens/add" novalidate>${formToken(context)}${oneTimeToken()}<input type="hidden" name="kind" value="${kind}">
<div class="field"><label for="site">${text.site}</label><select id="site" name="site"${issues.site && html` aria-describedby="site-error" aria-invalid="true"`}>${sites.map(
    (one) =>
      html`<option value="${one.id}"${one.id === site.id && html` selected`}${kind === 'kiosk' && html` data-printers="${JSON.stringify(printersOf(context, shown.printers, one.id))}" data-printer=""`}>${one.active ? one.name : admin.users.siteOff(one.name)}</option>`,
  )}</select>${issues.site && html`<span class="error" id="site-error">${issues.site}</span>`}</div>
${settingFields(context, fields)}
${
  kind === 'kiosk' &&
  html`<details class="field"${hasTerms && html` open`}><summary>${text.moreTerms}</summary>${termsField(context, { value: '', issues })}</details>`
}
<div class="actions"><button class="button primary" type="submit">${text.add}</button><a class="button" href="/screens">${admin.cancel}</a></div></form>`;
}

interface EditForm extends Choices {
  screen: Screen;
  issues: FieldIssues;
}

export function editScreenForm(context: AuthenticatedContext, { screen, ...shown }: EditForm): Html {
  const { save, cancel } = context.messages.admin;
  const { id, siteId, kind } = screen;
  const fields = { ...shown, settings: screen, siteId, kind };
  return html`<form method="post" action="/screens/${id}/edit" novalidate>${formToken(context)}<input type="hidden" name="site" value="${siteId}">
${settingFields(context, fields)}
<div class="actions"><button class="button primary" type="submit">${save}</button><a class="button" href="/screens/${id}">${cancel}</a></div></form>`;
}

export function termsField(
  { form, language }: AuthenticatedContext,
  { value, issues }: { value: string; issues: FieldIssues },
): Html {
  const text = SCREEN_TEXTS[language];
  return textArea({
    name: 'terms',
    label: text.termsText,
    hint: text.termsHint(maxTerms(language)),
    value: form.get('terms') ?? value,
    error: issues.terms,
  });
}

interface SettingFields extends Choices {
  kind: Screen['kind'];
  settings: ScreenSettings;
  siteId: Site['id'];
  issues: FieldIssues;
}

function settingFields(context: AuthenticatedContext, shown: SettingFields): Html {
  const { form, language } = context;
  const text = SCREEN_TEXTS[language];
  const { kind, settings, issues } = shown;
  const name = textField({
    name: 'name',
    label: text.name,
    hint: text.nameHint,
    value: form.get('name') ?? settings.name,
    error: issues.name,
    required: true,
    maxlength: MAX_SCREEN_NAME_LENGTH,
  });
  if (kind === UNKNOWN) return html`${name}${limitFields(context, shown)}`;
  if (kind === 'rolling')
    return html`${name}${profileField(context, shown)}${numberField(context, { name: 'idle', label: text.idle, hint: text.idleHint, value: settings.idleMinutes, error: issues.idle })}${limitFields(context, shown)}`;
  return html`${name}${offersField(context, shown)}${profileTicks(context, shown)}${askedFields(context, shown)}${limitFields(context, shown)}${printerField(context, shown)}`;
}

function limitFields(context: AuthenticatedContext, { settings, issues }: SettingFields): Html {
  const text = SCREEN_TEXTS[context.language];
  const { perMinute, perDay } = settings;
  return html`<div class="field limits"><div class="pair">${numberField(context, { name: 'per-minute', label: text.perMinute, value: perMinute, error: issues['per-minute'] })}${numberField(context, { name: 'per-day', label: text.perDay, value: perDay, error: issues['per-day'] })}</div><span class="hint">${text.limitHint}</span></div>`;
}

interface NumberField {
  name: string;
  label: string;
  hint?: string;
  value: number;
  error: string | undefined;
}

function numberField({ form }: AuthenticatedContext, field: NumberField): Html {
  return textField({ ...field, type: 'number', value: form.get(field.name) ?? field.value });
}
