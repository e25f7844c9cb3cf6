// The retention settings. Shows and reads their form fields, and previews what a change would delete.

import { selectField } from '../../../platform/pages/ui/fields.ts';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { localeOf } from '../../../platform/texts/durations.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import type { RetentionPreview } from '../../vouchers/retention.ts';
import { isKeepingTime, MAX_DAYS, MIN_AUDIT_DAYS, MIN_VOUCHER_DAYS, type Settings } from '../settings.ts';

const KINDS = ['vouchers', 'audit'] as const;
type Kind = (typeof KINDS)[number];
const MIN_DAYS = { vouchers: MIN_VOUCHER_DAYS, audit: MIN_AUDIT_DAYS };
const PRESETS = ['ever', 30, 90, 180, 365, 730] as const;

type Chosen = Pick<Settings, 'keepVouchersDays' | 'keepAuditDays' | 'limitsDeletions'>;
interface Typed {
  choice: string;
  own: string;
  isWrong: boolean;
}

export interface Keeping extends Record<Kind, Typed> {
  limitsDeletions: boolean;
  /** The settings to save. Undefined if a value is invalid. */
  chosen?: Chosen;
}

export function readKeeping(query: URLSearchParams): Keeping {
  const typed = (kind: Kind) => {
    const [choice, own] = [query.get(kind) ?? '', (query.get(`${kind}-days`) ?? '').trim()];
    const text = choice === 'own' ? own : choice;
    const days = text === 'ever' ? null : /^\d{1,6}$/.test(text) ? Number(text) : Number.NaN;
    return { choice, own, days, isWrong: !isKeepingTime(days, MIN_DAYS[kind]) };
  };
  const typedDays = { vouchers: typed('vouchers'), audit: typed('audit') };
  const { vouchers, audit } = typedDays;
  const limitsDeletions = query.get('limit') !== 'none';
  if (vouchers.isWrong || audit.isWrong) return { ...typedDays, limitsDeletions };
  const chosen = { keepVouchersDays: vouchers.days, keepAuditDays: audit.days, limitsDeletions };
  return { ...typedDays, limitsDeletions, chosen };
}

export function toQuery({ keepVouchersDays, keepAuditDays, limitsDeletions }: Chosen): string {
  const days = `vouchers=${keepVouchersDays ?? 'ever'}&audit=${keepAuditDays ?? 'ever'}`;
  return `${days}&limit=${limitsDeletions ? 'daily' : 'none'}`;
}

/** The field values for the current settings. */
export function keepingOf({ keepVouchersDays, keepAuditDays, limitsDeletions }: Chosen): Keeping {
  const typed = (days: number | null): Typed => {
    const isPreset = days === null || PRESETS.some((preset) => preset === days);
    return {
      choice: isPreset ? String(days ?? 'ever') : 'own',
      own: isPreset ? '' : String(days),
      isWrong: false,
    };
  };
  return { vouchers: typed(keepVouchersDays), audit: typed(keepAuditDays), limitsDeletions };
}

/** The texts for invalid numbers of days, by the id of the form field. */
export function keepingIssues(
  { messages, language }: AuthenticatedContext,
  keeping: Keeping,
): Record<string, string> {
  const { settings: text } = messages;
  const issue = (kind: Kind) => text.daysIssue(MIN_DAYS[kind], MAX_DAYS.toLocaleString(language));
  return Object.fromEntries(
    KINDS.filter((kind) => keeping[kind].isWrong).map((kind) => [
      `${kind}-days`,
      `${text[kind]}: ${issue(kind)}`,
    ]),
  );
}

/** A GET form, because it only opens the confirmation page and changes nothing. */
export function retentionForm(context: AuthenticatedContext, keeping: Keeping): Html {
  const { settings: text } = context.messages;
  const limit = {
    name: 'limit',
    label: text.limit,
    value: keeping.limitsDeletions ? 'daily' : 'none',
    hint: text.limitHint,
    choices: Object.entries(text.limits).map(([value, label]) => ({ value, label })),
  };
  return html`<form method="get" action="/settings/retention" novalidate>
${KINDS.map((kind) => keepField(context, kind, keeping[kind]))}
${selectField(limit)}
<button class="button primary" type="submit">${text.preview}</button></form>`;
}

function keepField(
  { messages, language }: AuthenticatedContext,
  kind: Kind,
  { choice, own, isWrong }: Typed,
): Html {
  const { settings: text } = messages;
  const chip = (value: string | number, label: string) =>
    html`<label class="chip"><input type="radio" name="${kind}" value="${value}"${choice === String(value) && html` checked`}><span>${label}</span></label>`;
  return html`<fieldset class="field"><legend>${text[kind]}</legend><div class="presets three">
${PRESETS.map((preset) => chip(preset, text.keep[preset]))}
<div class="own">${chip('own', text.own)}
<span class="length"><input id="${kind}-days" name="${kind}-days" type="number" inputmode="numeric" min="${MIN_DAYS[kind]}" value="${own}"${isWrong && html` aria-invalid="true" aria-describedby="${kind}-error"`}><label for="${kind}-days">${text.days}</label></span></div>
</div>${isWrong && html`<span class="error" id="${kind}-error">${text.daysIssue(MIN_DAYS[kind], MAX_DAYS.toLocaleString(language))}</span>`}</fieldset>`;
}

export function sayPreview(context: AuthenticatedContext, chosen: Chosen, preview: RetentionPreview): string {
  const { messages, language } = context;
  const { settings: text } = messages;
  const kept = (count: number | null) =>
    count === null ? text.keptEver : text.keptDays(count.toLocaleString(language));
  const isNothing = preview.vouchers + preview.auditRows === 0;
  const sentence = text.kept(kept(chosen.keepVouchersDays), kept(chosen.keepAuditDays));
  const pace = chosen.limitsDeletions ? text.paced : text.atOnce;
  return `${sentence} ${isNothing ? text.nothing : `${pace} ${text.forGood}`}`;
}

/** A table of what would be deleted now. Kinds of data with a count of zero are listed too. */
export function previewTable(context: AuthenticatedContext, preview: RetentionPreview): Html {
  const { messages, language, timeZone } = context;
  const { settings: text } = messages;
  const { vouchers, endedS, auditRows, auditMs } = preview;
  const day = (ms: number | undefined) =>
    ms === undefined
      ? '–'
      : new Intl.DateTimeFormat(localeOf(language), { dateStyle: 'medium', timeZone }).format(ms);
  const rows: [string, number, number | undefined, number | undefined][] = [
    [
      text.vouchers,
      vouchers,
      endedS ? endedS.first * 1_000 : undefined,
      endedS ? endedS.last * 1_000 : undefined,
    ],
    [text.audit, auditRows, auditMs?.first, auditMs?.last],
  ];
  const labels = [text.goes, text.count, text.oldest, text.newest];
  return html`<table class="preview"><thead><tr>${labels.map((label) => html`<th scope="col">${label}</th>`)}</tr></thead><tbody>${rows.map(
    ([what, count, first, last]) =>
      html`<tr><td data-label="${text.goes}">${what}</td><td data-label="${text.count}">${count.toLocaleString(language)}</td><td data-label="${text.oldest}">${day(first)}</td><td data-label="${text.newest}">${day(last)}</td></tr>`,
  )}</tbody></table>`;
}
