// The forms to add and to change a printer, and the guide that says what to do at the printer.

import type { AuthenticatedContext } from '../../../kernel/pages/context.ts';
import { formToken, oneTimeToken } from '../../../kernel/pages/layout.ts';
import type { FieldIssues } from '../../../kernel/pages/message.ts';
import type { Site } from '../../../kernel/sites/site.ts';
import { type Choice, selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { UNKNOWN } from '../../../platform/values/unknown-value.ts';
import {
  DEFAULT_JOB_MINUTES,
  MAX_COPIES,
  MAX_JOB_MINUTES,
  MAX_PRINTER_NAME_LENGTH,
  PRINTER_KINDS,
  PRINTER_LAYOUTS,
  type Printer,
  type PrinterKind,
  type PrinterSettings,
  ROLL_WIDTHS,
} from '../printer.ts';
import { PRINTER_TEXTS } from '../printer-texts.ts';
import type { PrinterIssues, TypedSettings } from '../save-printer.ts';

const DEFAULTS: PrinterSettings = {
  name: '',
  address: null,
  paper: ROLL_WIDTHS[0],
  layout: PRINTER_LAYOUTS[0],
  copies: 1,
  hasCutter: true,
  jobMinutes: DEFAULT_JOB_MINUTES,
};

/** The typed settings, for `savePrinter`. */
export function readTyped({ form }: AuthenticatedContext): TypedSettings {
  const text = (name: string) => form.get(name) ?? undefined;
  return {
    name: text('name'),
    address: text('address'),
    paper: text('paper'),
    layout: text('layout'),
    copies: text('copies'),
    hasCutter: form.getAll('cutter').includes('on'),
    jobMinutes: text('minutes'),
  };
}

/** The error texts, by the names of the fields. */
export function sayIssues({ messages, language }: AuthenticatedContext, issues: PrinterIssues): FieldIssues {
  const { form } = messages;
  const text = PRINTER_TEXTS[language];
  const names = {
    missing: form.nameMissing,
    'too-long': form.nameTooLong(MAX_PRINTER_NAME_LENGTH),
    'not-plain': form.notPlain,
  };
  return {
    site: issues.site && text.siteMissing,
    name: issues.name && names[issues.name],
    address: issues.address && text.addressIssues[issues.address],
    paper: issues.paper && text.choiceMissing,
    layout: issues.layout && text.choiceMissing,
    copies: issues.copies && form.number(1, MAX_COPIES),
    minutes: issues.jobMinutes && form.number(1, MAX_JOB_MINUTES),
  };
}

/** The choice between the kinds. Each is a link to the form for that kind. */
export function kindChoice({ language }: AuthenticatedContext, rest: string): Html {
  const text = PRINTER_TEXTS[language];
  return html`<h2>${text.choose}</h2><ul class="kinds">${PRINTER_KINDS.map(
    (kind) =>
      html`<li class="card"><h3>${text.kinds[kind].name}</h3><p>${text.kinds[kind].what}</p><a class="button" href="/printers/add?kind=${kind}${rest}">${text.chooseThis}<span class="hidden-text">: ${text.kinds[kind].name}</span></a></li>`,
  )}</ul>`;
}

export function guide({ language }: AuthenticatedContext, kind: PrinterKind): Html {
  const text = PRINTER_TEXTS[language];
  return html`<h2>${text.guide}</h2><ol class="guide">${text.kinds[kind].steps.map((step) => html`<li>${step}</li>`)}</ol>`;
}

interface AddForm {
  kind: PrinterKind;
  sites: Site[];
  /** The site to preselect. */
  siteId: string;
  issues: FieldIssues;
}

export function addPrinterForm(
  context: AuthenticatedContext,
  { kind, sites, siteId, issues }: AddForm,
): Html {
  const text = PRINTER_TEXTS[context.language];
  return html`<form method="post" action="/printers/add" novalidate>${formToken(context)}${oneTimeToken()}<input type="hidden" name="kind" value="${kind}">
${selectField({
  name: 'site',
  label: text.site,
  value: context.form.get('site') ?? siteId,
  error: issues.site,
  choices: sites.map(({ id, name }) => ({ value: String(id), label: name })),
})}
${settingFields(context, { kind, settings: DEFAULTS, issues })}
<div class="actions"><button class="button primary" type="submit">${text.add}</button><a class="button" href="/printers">${context.messages.admin.cancel}</a></div></form>`;
}

export function editPrinterForm(context: AuthenticatedContext, printer: Printer, issues: FieldIssues): Html {
  const { save, cancel } = context.messages.admin;
  return html`<form method="post" action="/printers/${printer.id}/edit" novalidate>${formToken(context)}
${settingFields(context, { kind: printer.kind, settings: printer, issues })}
<div class="actions"><button class="button primary" type="submit">${save}</button><a class="button" href="/printers/${printer.id}">${cancel}</a></div></form>`;
}

interface SettingFields {
  kind: Printer['kind'];
  settings: PrinterSettings;
  issues: FieldIssues;
}

function settingFields(context: AuthenticatedContext, { kind, settings, issues }: SettingFields): Html {
  const { messages, form, language } = context;
  const { admin } = messages;
  const text = PRINTER_TEXTS[language];
  const { name, address, paper, layout, copies, jobMinutes } = settings;
  const hasCutter = form.has('name') ? form.getAll('cutter').includes('on') : settings.hasCutter;
  // A value of a newer release stays as it is unless another one is chosen.
  const choicesOf = (stored: unknown, known: Choice[]) =>
    stored === UNKNOWN ? [{ value: '', label: admin.notKnown }, ...known] : known;
  const isOpen = issues.copies !== undefined || issues.minutes !== undefined;
  return html`${textField({ name: 'name', label: text.name, hint: text.nameHint, value: form.get('name') ?? name, error: issues.name, required: true })}
${
  kind === 'escpos' &&
  textField({
    name: 'address',
    label: text.address,
    hint: text.addressHint,
    value: form.get('address') ?? address ?? '',
    error: issues.address,
    required: true,
  })
}
${selectField({
  name: 'paper',
  label: text.paper,
  value: form.get('paper') ?? paper,
  error: issues.paper,
  choices: choicesOf(
    paper,
    ROLL_WIDTHS.map((width) => ({ value: String(width), label: text.papers[width] })),
  ),
})}
${selectField({
  name: 'layout',
  label: text.layout,
  value: form.get('layout') ?? layout,
  error: issues.layout,
  choices: choicesOf(
    layout,
    PRINTER_LAYOUTS.map((one) => ({
      value: one,
      label: `${text.layouts[one].label} – ${text.layouts[one].hint}`,
    })),
  ),
})}
<details class="field"${isOpen && html` open`}><summary>${text.more}</summary>
${textField({ name: 'copies', label: text.copies, hint: text.copiesHint, type: 'number', value: form.get('copies') ?? copies, error: issues.copies })}
${textField({ name: 'minutes', label: text.jobMinutes, hint: text.jobMinutesHint, type: 'number', value: form.get('minutes') ?? jobMinutes, error: issues.minutes })}
<p><label class="tick"><input type="checkbox" name="cutter" value="on"${hasCutter && html` checked`}>${text.hasCutter}</label></p></details>`;
}
