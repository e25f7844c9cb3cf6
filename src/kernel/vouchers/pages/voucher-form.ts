// The form that creates vouchers: renders it, reads it, and reports validation issues per field.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { saySpeed, sayVolume } from '../../../platform/texts/amounts.ts';
import { sayDuration } from '../../../platform/texts/durations.ts';
import { MAX_BATCH_SIZE } from '../../batches/batch.ts';
import { asSiteId } from '../../ids.ts';
import type { PageContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import type { OrderField, OutOfBounds } from '../../problem.ts';
import type { Profile } from '../../profiles/profile.ts';
import { isDemo, type Site } from '../../sites/site.ts';
import { findNameProblem, trimName } from '../voucher-name.ts';
import {
  DEFAULT_EXPIRE_MINUTES,
  findOutOfBounds,
  MAX_INTEGER,
  MAX_NAME_LENGTH,
  type VoucherOrder,
} from '../voucher-order.ts';
import { lastChoicesOf } from './device-choices.ts';
import { quotaInputs, readQuota, readSpeed } from './limit-fields.ts';
import { checkOutAttribute, readValidity, validityField } from './validity-field.ts';
import { demoPill } from './voucher-details.ts';
import type { FormFields, FormReading } from './voucher-slots.ts';

/** The numbers of devices that have a chip. */
const FEW_USES = ['1', '2', '3', '4', '5'];
/** For a site at which this device has chosen nothing yet. */
const DEFAULT_CHOICE = { uses: '1', validity: String(DEFAULT_EXPIRE_MINUTES) };
/** Maps the fields of an order to the fields of this form. */
const FIELDS = {
  max_uses: 'uses',
  expire_minutes: 'validity',
  down: 'down',
  up: 'up',
  quota_mb: 'quota',
} as const satisfies Record<OrderField, FieldName>;

export type FieldName = 'site' | 'name' | 'uses' | 'validity' | 'count' | 'down' | 'up' | 'quota';
export type VoucherFormIssues = Partial<Record<FieldName, string>>;

export interface VoucherFormReading {
  order: VoucherOrder;
  wanted: number;
  issues: VoucherFormIssues;
}

export function readVoucherForm(
  context: PageContext,
  sites: Site[],
  readings: FormReading[],
): VoucherFormReading {
  const { form, messages, settings } = context;
  const issues: VoucherFormIssues = {};
  const number = (field: FieldName, most: number, typed = form.get(field)) => {
    const [least, absent] = [1, 1];
    const text = (typed ?? '').trim();
    const value = text === '' ? absent : Number(text);
    if (/^\d*$/.test(text) && value >= least && value <= most) return value;
    issues[field] = messages.form.number(least, most);
    return absent;
  };

  const amount = (field: FieldName, value: number | undefined) => {
    if (value === undefined) issues[field] = messages.form.amount;
    return value ?? 0;
  };

  const siteId = asSiteId(Number(form.get('site')));
  const site = sites.find(({ id }) => id === siteId);
  if (!site) issues.site = messages.form.chooseSite;
  const name = settings.asksForNames ? trimName(form.get('name') ?? '') : messages.form.unnamed;
  const nameProblem = findNameProblem(name)?.kind;
  if (nameProblem === 'name-missing') issues.name = messages.form.nameMissing;
  else if (nameProblem === 'name-too-long') issues.name = messages.form.nameTooLong(MAX_NAME_LENGTH);
  else if (nameProblem) issues.name = messages.form.notPlain;
  const validity = readValidity(context, site);
  if (typeof validity === 'string') issues.validity = validity;
  for (const reading of readings) Object.assign(issues, reading.issues);
  const order: VoucherOrder = {
    siteId,
    name,
    maxUses: number('uses', MAX_INTEGER, readUses(form)),
    ...(typeof validity === 'string' ? { expireMinutes: DEFAULT_EXPIRE_MINUTES } : validity),
    downKbps: amount('down', readSpeed(context, 'down')),
    upKbps: amount('up', readSpeed(context, 'up')),
    quotaMb: amount('quota', readQuota(context)),
  };
  for (const reading of readings) Object.assign(order, reading.order);
  const wanted = number('count', MAX_BATCH_SIZE);
  const beyond = site && findOutOfBounds(order, context.app.controllerOf(site).bounds);
  if (beyond) issues[FIELDS[beyond.field]] ??= sayBound(context, beyond);
  return { order, wanted, issues };
}

/** A chip, or the number beside the last one, which must not be left empty. */
function readUses(form: URLSearchParams): string | null {
  return form.get('uses') === 'more' ? form.get('usesMore') || '0' : form.get('uses');
}

function sayBound({ messages: { form }, language }: PageContext, { field, min, max }: OutOfBounds): string {
  if (field === 'expire_minutes') return form.tooLong(sayDuration(max, language));
  if (field === 'max_uses') return form.number(min ?? 0, max);
  const say = field === 'quota_mb' ? sayVolume : saySpeed;
  return form.between(say(min ?? 0, language), say(max, language));
}

interface Shown {
  sites: Site[];
  /** Identifies the form, so that a form that is submitted twice creates its vouchers only once. */
  batchId: string;
  /** The failed batch whose values are changed in this form. */
  insteadOf: string | undefined;
  issues: VoucherFormIssues;
  /** Profiles that the user can fill the form with. */
  profiles: Profile[];
  preselected: Site | undefined;
  printsAtOnce: boolean;
  /** What features add. */
  fields: FormFields[];
}

/** Fills in the submitted values, otherwise the values from the query, as in `/?site=1&name=Zimmer`. */
export function voucherForm(
  context: PageContext,
  { sites, batchId, insteadOf, issues, profiles, preselected, printsAtOnce, fields }: Shown,
): Html {
  const { messages, form, query, nowMs } = context;
  const text = messages.form;
  const chosen = form.get('site') ?? query.get('site') ?? String(preselected?.id ?? '');
  const site = sites.find(({ id }) => String(id) === chosen) ?? sites[0];
  const last = lastChoicesOf(context, site?.id);
  const typed = (name: string, fallback = '') => form.get(name) ?? query.get(name) ?? last[name] ?? fallback;
  const isFilledIn = form.has('validity') || query.has('validity');
  const input = (
    name: FieldName,
    label: string,
    options: { value: string; hint?: string; least?: number },
  ) => html`
<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="number" inputmode="numeric" min="${options.least ?? 0}" value="${typed(name, options.value)}"${described(name, issues, options.hint)}>
${hint(name, options.hint)}${error(name, issues)}</div>`;
  const speed = (name: 'down' | 'up', label: string) => html`
<div class="field"><label for="${name}">${label}</label>
<input id="${name}" name="${name}" inputmode="decimal" autocomplete="off" value="${typed(name, '0')}"${described(name, issues)}>${error(name, issues)}</div>`;
  const isLimited = (['down', 'up', 'quota'] as const).some(
    (name) => issues[name] !== undefined || Number(typed(name, '0')) !== 0,
  );

  // The Enter key activates the first button of a form. Without the hidden button, Enter would choose a profile.
  return html`<form method="post" action="/vouchers" data-working="${text.working}" novalidate>${formToken(context)}
<button class="hidden-text" tabindex="-1" aria-hidden="true"></button>
<input type="hidden" name="shown" value="${new Date(nowMs).toISOString()}"><input type="hidden" name="batch" value="${batchId}">${insteadOf && html`<input type="hidden" name="instead" value="${insteadOf}">`}
${profileChips(context, profiles)}${
  sites.length === 1
    ? html`<input type="hidden" name="site" value="${sites[0]?.id}" data-label="${text.site}" data-text="${sites[0]?.name}"><p class="soft">${text.site}: ${sites[0]?.name} ${sites.every(isDemo) && demoPill(context)}</p>`
    : html`<div class="field"><label for="site">${text.site}</label><select id="site" name="site"${!isFilledIn && choiceAttribute(DEFAULT_CHOICE)}${described('site', issues)}>
${sites.map((site) => html`<option value="${site.id}"${String(site.id) === chosen && html` selected`}${checkOutAttribute(context, site)}${fields.map(({ siteAttributes }) => siteAttributes?.(site))}${!isFilledIn && choiceAttribute(lastChoicesOf(context, site.id))}>${site.name}${isDemo(site) && ` (${messages.demoBadge})`}</option>`)}
</select><noscript><button class="button" name="switch" value="site">${text.switchSite}</button></noscript>${error('site', issues)}</div>`
}
${context.settings.asksForNames && nameField(context, typed('name'), issues)}
${validityField(context, { sites, site, typed, attributes: described('validity', issues), error: error('validity', issues) })}
<div class="amounts">${usesField(context, typed, issues)}
${input('count', text.count, { value: '1', least: 1, hint: text.countHint(MAX_BATCH_SIZE) })}
<p class="printing"><label class="tick"><input type="checkbox" name="print" aria-describedby="print-hint"${printsAtOnce && html` checked`}>${text.printAtOnce}</label>
${site && fields.map(({ printOn }) => printOn?.(site))}<span class="sub" id="print-hint">${text.printAtOnceHint}</span></p></div>
<div class="extras">${fields.map(({ extras }) => extras)}<details${isLimited && html` open`}><summary>${text.limits}</summary>
<p class="soft">${text.unlimited}</p>
<div class="pair level">${speed('down', text.down)}${speed('up', text.up)}</div>
<div class="field"><label for="quota">${text.quota}</label>
${quotaInputs(context, { quota: typed('quota', '0'), quotaUnit: typed('quotaUnit', 'GB'), attributes: described('quota', issues) })}${error('quota', issues)}</div></details></div>
<button class="button primary wide" type="submit" data-many="${text.buttonMany('#')}">${text.button}</button>
</form>`;
}

/** The attribute with which `enhance.js` fills in what was chosen last at a site. */
function choiceAttribute(choice: Record<string, string>): Html | false {
  const { uses } = choice;
  if (uses === undefined) return false;
  const more = FEW_USES.includes(uses) ? {} : { uses: 'more', usesMore: uses };
  return html` data-choice="${JSON.stringify({ ...choice, ...more })}"`;
}

function nameField(
  { messages: { form: text } }: PageContext,
  value: string,
  issues: VoucherFormIssues,
): Html {
  return html`<div class="field"><label for="name">${text.name}</label>
<input id="name" name="name" required autocomplete="off" autofocus value="${value}"${described('name', issues, text.nameHint)}>
${hint('name', text.nameHint)}${error('name', issues)}</div>`;
}

function usesField(
  { messages: { form: text } }: PageContext,
  typed: (name: string, fallback?: string) => string,
  issues: VoucherFormIssues,
): Html {
  const uses = typed('uses', '1');
  const isMore = !FEW_USES.includes(uses);
  const radio = (value: string, isChosen: boolean, index?: number) =>
    html`<label class="chip"><input${index === 0 && html` id="uses"`} type="radio" name="uses" value="${value}"${isChosen && html` checked`}><span>${value === 'more' ? text.moreUses : value}</span></label>`;
  return html`<fieldset class="field"><legend>${text.uses} <span class="sub">${text.usesHint}</span></legend><div class="presets few">
${FEW_USES.map((value, index) => radio(value, value === uses, index))}
<div class="own">${radio('more', isMore)}
<span class="length"><label class="hidden-text" for="uses-more">${text.uses}</label><input id="uses-more" name="usesMore" type="number" inputmode="numeric" min="1" value="${typed('usesMore', isMore && uses !== 'more' ? uses : '6')}"${described('uses', issues)}></span></div>
</div>${error('uses', issues)}</fieldset>`;
}

/**
 * Buttons to choose a profile. Each button submits the form, so that typed values are kept even without JavaScript. The
 * response redirects to the form, filled in with the values of the profile.
 */
function profileChips({ messages, query }: PageContext, profiles: Profile[]): Html | false {
  if (profiles.length === 0) return false;
  const isChosen = ({ id }: Profile) => query.get('profile') === String(id);
  return html`<fieldset class="field"><legend>${messages.form.profile}</legend><div class="chips">${profiles.map(
    (profile) =>
      html`<button class="chip" name="profile" value="${profile.id}" aria-pressed="${isChosen(profile) ? 'true' : 'false'}">${profile.name}</button>`,
  )}</div></fieldset>
`;
}

function hint(name: FieldName, text?: string): Html | false {
  return text !== undefined && html`<span class="hint" id="${name}-hint">${text}</span>`;
}

function error(name: FieldName, issues: VoucherFormIssues): Html | false {
  return issues[name] !== undefined && html`<span class="error" id="${name}-error">${issues[name]}</span>`;
}

/** The attributes that link a field to its hint and its error for screen readers. */
function described(name: FieldName, issues: VoucherFormIssues, hintText?: string): Html {
  const ids = [issues[name] && `${name}-error`, hintText !== undefined && `${name}-hint`].filter(Boolean);
  return html`${ids.length > 0 && html` aria-describedby="${ids.join(' ')}"`}${issues[name] && html` aria-invalid="true"`}`;
}
