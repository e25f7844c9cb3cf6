// Shows and reads the form of an API key. A field that is missing in the submitted form keeps its value, so that an
// incomplete form never gives a key more sites or a later expiry.

import { selectField, textField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { readSiteChoice, siteChoice } from '../../sites/pages/site-choice.ts';
import type { Site } from '../../sites/site.ts';
import { type ApiKey, MAX_NOTE_LENGTH, MAX_RATE_LIMIT, type Scope } from '../api-key.ts';
import { lastDayOf, readLastDay } from '../expiry.ts';
import type { KeyChange } from '../key-records.ts';

export type KeyValues = Omit<ApiKey, 'id' | 'name' | 'scope'> & { scope: Scope; note: string };
export type KeyIssues = Partial<Record<'name' | 'limit' | 'sites' | 'expires' | 'note', string>>;

export const NEW_KEY: KeyValues = {
  scope: 'write',
  rateLimit: 0,
  sites: 'all',
  expiresAtMs: null,
  note: '',
};

export function readKeyForm(
  context: AuthenticatedContext,
  before: KeyValues,
  allSites: Site[],
): { values: KeyValues; issues: KeyIssues } {
  const { form, messages } = context;
  const { keys: text } = messages.admin;
  const issues: KeyIssues = {};
  const rateLimit = form.has('limit') ? readLimit(form.get('limit')) : before.rateLimit;
  if (rateLimit === undefined) issues.limit = messages.form.number(0, MAX_RATE_LIMIT);
  const expiresAtMs = readExpiry(context, before.expiresAtMs);
  if (typeof expiresAtMs === 'string') issues.expires = text.expiryIssues[expiresAtMs];
  const note = (form.get('note') ?? before.note).trim();
  if (/\p{Cc}/u.test(note)) issues.note = text.noteNotPlain;
  if ([...note].length > MAX_NOTE_LENGTH) issues.note = messages.form.nameTooLong(MAX_NOTE_LENGTH);
  const values = {
    scope: form.has('scope') ? readScope(form.get('scope')) : before.scope,
    rateLimit: rateLimit ?? before.rateLimit,
    sites: readSiteChoice(form, before.sites, allSites),
    expiresAtMs: typeof expiresAtMs === 'string' ? before.expiresAtMs : expiresAtMs,
    note,
  };
  return { values, issues };
}

/** Returns only the values that the form changes. */
export function changeOf(
  before: KeyValues,
  { scope, rateLimit, sites, expiresAtMs, note }: KeyValues,
): KeyChange {
  return {
    ...(scope !== before.scope && { scope }),
    ...(rateLimit !== before.rateLimit && { rateLimit }),
    ...(String(sites) !== String(before.sites) && { sites }),
    ...(expiresAtMs !== before.expiresAtMs && { expiresAtMs }),
    ...(note !== before.note && { note }),
  };
}

function readScope(text: string | null): Scope {
  return text === 'write' ? 'write' : 'read';
}

function readLimit(text: string | null): number | undefined {
  const value = Number(text?.trim() || '0');
  return Number.isInteger(value) && value >= 0 && value <= MAX_RATE_LIMIT ? value : undefined;
}

/** Returns the time of expiry, or the kind of the issue if the day is invalid. An unchanged day may be in the past. */
function readExpiry({ form, timeZone, nowMs }: AuthenticatedContext, before: number | null) {
  const day = form.get('expires')?.trim();
  if (day === undefined || (before !== null && day === lastDayOf(before, timeZone))) return before;
  if (day === '') return null;
  const lastDay = readLastDay(day, { timeZone, nowMs });
  return lastDay.ok ? lastDay.value : lastDay.problem;
}

interface Shown {
  values: KeyValues;
  issues: KeyIssues;
  allSites: Site[];
}

export function keyFields(context: AuthenticatedContext, { values, issues, allSites }: Shown): Html {
  const { form, timeZone, messages } = context;
  const { keys: text } = messages.admin;
  const { expiresAtMs } = values;
  const scopes = [
    { value: 'write', label: text.write },
    { value: 'read', label: text.read },
  ];
  return html`${selectField({ name: 'scope', label: text.scope, value: values.scope, choices: scopes })}
${siteChoice(context, { label: text.sites, hint: text.sitesHint, sites: values.sites, allSites, error: issues.sites })}
${textField({ name: 'limit', label: text.limit, type: 'number', hint: text.limitHint, value: form.get('limit') ?? values.rateLimit, error: issues.limit })}
${textField({
  name: 'expires',
  label: text.expires,
  type: 'date',
  hint: text.expiresHint,
  value: form.get('expires') ?? (expiresAtMs === null ? '' : lastDayOf(expiresAtMs, timeZone)),
  error: issues.expires,
})}
${textField({ name: 'note', label: text.note, hint: text.noteHint, value: form.get('note') ?? values.note, error: issues.note })}`;
}
