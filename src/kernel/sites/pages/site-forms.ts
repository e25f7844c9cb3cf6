// Reads and renders the fields of the site forms. Credentials are read from a form but never rendered into one.

import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { hasInvisible } from '../../../platform/text/invisible.ts';
import { isMailAddress } from '../../../platform/text/mail-address.ts';
import { type ControllerKind, findKind, optionOf } from '../../controllers/controller-kind.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { toPublicUrl } from '../../pages/only-here-note.ts';
import type { Messages } from '../../texts/messages-de.ts';
import { isTimeOfDay, isTimeZone } from '../../vouchers/nights.ts';
import { toConsoleUrl } from '../console-url.ts';
import type { Credentials, TlsTrust } from '../controller-connection.ts';
import type { Site } from '../site.ts';
import type { KindTexts } from '../site-texts-de.ts';

export const MAX_NAME_LENGTH = 100;
const MAX_URL_LENGTH = 500;
const MAX_SECRET_LENGTH = 1_000;

/** The error texts, by the name of the form field. */
export type SiteFormIssues = Record<string, string>;

export const hasIssues = (issues: SiteFormIssues) => Object.keys(issues).length > 0;

export interface Basics {
  name: string;
  importsForeign: boolean;
}

export function readBasics(context: AuthenticatedContext): { basics: Basics; issues: SiteFormIssues } {
  const { form } = context;
  const name = (form.get('name') ?? '').trim();
  const nameIssue = issueOfName(context, name);
  return {
    basics: { name, importsForeign: form.get('import') !== 'off' },
    issues: nameIssue ? { name: nameIssue } : {},
  };
}

/** Reads which site of the controller the user has chosen from a list or typed. */
export function readControllerSite(context: AuthenticatedContext): {
  controllerSite: string;
  issue: string | undefined;
} {
  const controllerSite = (context.form.get('site') ?? '').trim();
  return { controllerSite, issue: issueOfName(context, controllerSite) };
}

/** Why a text cannot be the name of a site, here or on its controller. */
export function issueOfName({ messages: { admin } }: AuthenticatedContext, text: string): string | undefined {
  if (text === '') return admin.sites.missing;
  if ([...text].length > MAX_NAME_LENGTH) return admin.sites.tooLong(MAX_NAME_LENGTH);
  return hasInvisible(text) ? admin.sites.invisible : undefined;
}

export function readKind({ app, form }: AuthenticatedContext): ControllerKind | undefined {
  return findKind(app.kinds, form.get('kind'));
}

/** The URL as it is stored: `https` with host, port and path only. A missing `https://` is added. */
export function readUrl({ form }: AuthenticatedContext): string | undefined {
  const typed = (form.get('url') ?? '').trim();
  if (typed === '' || typed.length > MAX_URL_LENGTH) return undefined;
  const url = URL.parse(/^[a-z][a-z0-9+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`);
  const isPlain = url && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  return isPlain && url.protocol === 'https:' ? toConsoleUrl(url) : undefined;
}

/** Which certificate the user trusted in the previous step. The wizard offers no way to trust every certificate. */
export function readTrust({ form }: AuthenticatedContext): TlsTrust | undefined {
  const text = form.get('trust') ?? '';
  if (text === 'ca') return { kind: 'ca' };
  return /^[0-9A-F]{64}$/.test(text) ? { kind: 'pinned', fingerprint256: text } : undefined;
}

export function readCredentials(
  { form, messages }: AuthenticatedContext,
  kind: ControllerKind,
  kept: Credentials | undefined,
): { credentials?: Credentials; issues: SiteFormIssues } {
  const { sites: text } = messages.admin;
  const read = kind.credentials.map((field) => {
    const typed = form.get(optionOf(field)) ?? '';
    return { field, value: field.keepsBlanks ? typed : typed.trim() };
  });
  if (kept && read.every(({ value }) => value === '')) return { credentials: kept, issues: {} };
  const issues: SiteFormIssues = {};
  for (const { field, value } of read) {
    const issue = issueOfCredential(value) ?? (field.refuses?.pattern.test(value) && refusal(field.name));
    if (issue) issues[optionOf(field)] = issue;
  }
  if (hasIssues(issues)) return { issues };
  return { credentials: Object.fromEntries(read.map(({ field, value }) => [field.name, value])), issues };

  function issueOfCredential(value: string): string | undefined {
    if (value === '') return text.missing;
    if (value.length > MAX_SECRET_LENGTH) return text.tooLong(MAX_SECRET_LENGTH);
    return hasInvisible(value) ? text.invisible : undefined;
  }

  function refusal(name: string): string {
    return kindTexts(messages, kind.name).fields[name]?.refused ?? text.missing;
  }
}

export function basicFields(context: AuthenticatedContext, shown: Basics, issues: SiteFormIssues): Html {
  return html`${nameField(context, { value: shown.name, error: issues.name })}
${importField(context, shown.importsForeign)}`;
}

export function nameField(
  { messages: { admin } }: AuthenticatedContext,
  input: { value: string; error: string | undefined },
): Html {
  const { name: label, nameHint: hint } = admin.sites;
  return textField({ name: 'name', label, hint, ...input, required: true });
}

export function importField({ messages: { admin } }: AuthenticatedContext, importsForeign: boolean): Html {
  const { sites: text, yes, no } = admin;
  return selectField({
    name: 'import',
    label: text.imports,
    hint: text.importsHint,
    value: importsForeign ? 'on' : 'off',
    choices: [
      { value: 'on', label: yes },
      { value: 'off', label: no },
    ],
  });
}

/** When a voucher for nights ends. */
export type Stay = Pick<Site, 'checkOut' | 'timeZone'>;

/** Values that the form does not contain stay as they are. `changed` has only what differs from before. */
export function readStay(
  { form, messages }: AuthenticatedContext,
  before: Stay,
): { stay: Stay; changed: Partial<Stay>; issues: SiteFormIssues } {
  const { sites: text } = messages.admin;
  const checkOut = completeTime((form.get('check-out') ?? before.checkOut).trim());
  const zone = form.get('time-zone') ?? before.timeZone ?? '';
  const issues: SiteFormIssues = {};
  if (!isTimeOfDay(checkOut)) issues['check-out'] = text.checkOutWrong;
  if (zone !== '' && !isTimeZone(zone)) issues['time-zone'] = text.timeZoneWrong;
  const timeZone = zone === '' ? null : zone;
  const changed = {
    ...(checkOut !== before.checkOut && { checkOut }),
    ...(timeZone !== before.timeZone && { timeZone }),
  };
  return { stay: { checkOut, timeZone }, changed, issues };
}

/** The numeric keyboard of a phone may have no colon, so `1100` and `9:30` are completed to `11:00` and `09:30`. */
function completeTime(typed: string): string {
  return typed.replace(
    /^(\d{1,2}):?(\d\d)$/,
    (_, hour: string, minute: string) => `${hour.padStart(2, '0')}:${minute}`,
  );
}

/** A plain text field for the time: a browser shows a time field with AM and PM in some languages. */
export function stayFields(context: AuthenticatedContext, shown: Stay, issues: SiteFormIssues): Html {
  const { sites: text } = context.messages.admin;
  const zones = new Set([...(shown.timeZone ? [shown.timeZone] : []), ...Intl.supportedValuesOf('timeZone')]);
  return html`${textField({ name: 'check-out', label: text.checkOut, inputmode: 'numeric', maxlength: 5, hint: text.checkOutHint, value: shown.checkOut, error: issues['check-out'], required: true })}
${selectField({
  name: 'time-zone',
  label: text.timeZone,
  value: shown.timeZone ?? '',
  error: issues['time-zone'],
  choices: [
    { value: '', label: text.serviceTimeZone(context.timeZone) },
    ...[...zones].sort().map((zone) => ({ value: zone, label: zone })),
  ],
})}`;
}

/** The hidden field distinguishes a form whose checkbox is not ticked from a form without the checkbox. */
export function guestPageField(context: AuthenticatedContext, site: Site): Html {
  const { form, messages, publicUrl } = context;
  const { sites: text } = messages.admin;
  const isTicked = readGuestPage(form) ?? site.hasGuestPage;
  return html`<input type="hidden" name="guest-page" value="off"><p><label class="tick"><input type="checkbox" name="guest-page" value="on" aria-describedby="guest-page-hint"${isTicked && html` checked`}>${text.guestPage}</label>
<span class="hint" id="guest-page-hint">${text.guestPageHint}${publicUrl === undefined && html` ${text.guestPageLacksUrl} ${toPublicUrl(context)}`}</span></p>`;
}

/** Undefined if the form does not have the field. */
function readGuestPage(form: URLSearchParams): boolean | undefined {
  return form.has('guest-page') ? form.getAll('guest-page').includes('on') : undefined;
}

/** The change, if the form changes whether guests have a page. */
export function guestPageChange({ form }: AuthenticatedContext, site: Site): { hasGuestPage?: boolean } {
  const hasGuestPage = readGuestPage(form) ?? site.hasGuestPage;
  return hasGuestPage === site.hasGuestPage ? {} : { hasGuestPage };
}

/** Values that the form does not contain stay as they are. */
export function readReplyTo(
  { form, messages }: AuthenticatedContext,
  site: Site,
): { change: { replyTo?: string | null }; issues: SiteFormIssues } {
  const typed = (form.get('reply-to') ?? site.replyTo ?? '').trim();
  const replyTo = typed === '' ? null : typed;
  if (replyTo === site.replyTo) return { change: {}, issues: {} };
  return replyTo === null || isMailAddress(replyTo)
    ? { change: { replyTo }, issues: {} }
    : { change: {}, issues: { 'reply-to': messages.admin.sites.replyToWrong } };
}

export function replyToField(
  { form, messages }: AuthenticatedContext,
  site: Site,
  issues: SiteFormIssues,
): Html {
  const { sites: text } = messages.admin;
  const value = form.get('reply-to') ?? site.replyTo ?? '';
  return textField({
    name: 'reply-to',
    label: text.replyTo,
    type: 'email',
    value,
    hint: text.replyToHint,
    error: issues['reply-to'],
  });
}

export function controllerSiteField(
  { messages: { admin } }: AuthenticatedContext,
  input: { value: string; hint: string; error?: string | undefined },
): Html {
  return textField({ name: 'site', label: admin.sites.controllerSite, ...input, required: true });
}

export function kindField(
  { app, messages }: AuthenticatedContext,
  { value, error }: { value: string | null; error: string | undefined },
): Html {
  const { sites: text } = messages.admin;
  const choices = app.kinds.map(({ name }) => ({ value: name, label: kindTexts(messages, name).name }));
  const chosen = value ?? choices[0]?.value ?? '';
  return selectField({ name: 'kind', label: text.kind, hint: text.kindHint, value: chosen, choices, error });
}

/** The texts for a kind of controller. If this release does not know the kind, the texts say that it is unknown. */
export function kindTexts({ admin: { sites: text } }: Messages, kind: string): KindTexts {
  return text.kinds[kind] ?? { name: text.kindUnknown, short: text.kindUnknown, fields: {} };
}

/** The fields are always empty, because neither stored nor previously typed credentials may be shown. */
export function credentialFields(
  { messages }: AuthenticatedContext,
  { kind, issues, required }: { kind: ControllerKind; issues: SiteFormIssues; required: boolean },
): Html {
  const texts = kindTexts(messages, kind.name).fields;
  return html`${kind.credentials.map((field, index) =>
    textField({
      name: optionOf(field),
      label: texts[field.name]?.label ?? field.name,
      hint: texts[field.name]?.hint,
      error: issues[optionOf(field)],
      required,
      autofocus: index === 0,
      ...(field.isSecret && { type: 'password', autocomplete: 'new-password' }),
    }),
  )}`;
}

export function hiddenFields(fields: Record<string, string>): Html {
  return html`${Object.entries(fields).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}`;
}

/** Formats a fingerprint as pairs of digits, so that it is easy to compare. Lines break only after four pairs. */
export function sayFingerprint(hex: string): Html {
  const groups = hex.match(/.{1,8}/g) ?? [];
  const pairs = groups.map((group) => group.replace(/(..)(?=.)/g, '$1:'));
  return html`${pairs.map((group, index) => html`${index > 0 && html`:<wbr>`}${group}`)}`;
}
