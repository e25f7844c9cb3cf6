// How long a voucher is valid, as a field of the voucher form: a preset, a custom duration, or until check-out after
// some nights or on a date.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { sayEnd } from '../../../platform/texts/durations.ts';
import { calendarDate } from '../../../platform/time/calendar-date.ts';
import type { PageContext } from '../../pages/context.ts';
import type { Site } from '../../sites/site.ts';
import {
  checkOutAfterS,
  checkOutOf,
  type LocalCheckOut,
  MAX_NIGHTS,
  minutesUntil,
  readEndS,
} from '../nights.ts';
import { DEFAULT_EXPIRE_MINUTES, type VoucherOrder } from '../voucher-order.ts';
import { durationInputs, readDuration, toDurationFields } from './duration-field.ts';

const PRESETS = { hour: 60, hours8: 480, day: 1_440, week: 10_080 } as const;
const PRESET_NAMES = ['hour', 'hours8', 'day', 'week'] as const;
/** The numbers of nights that have a chip. Others are chosen by their date. */
const NIGHTS = [1, 2, 3, 7];

export type Validity = Pick<VoucherOrder, 'expireMinutes' | 'endsAtS'>;

/** Returns the text of the issue if the field is invalid. */
export function readValidity(context: PageContext, site: Site | undefined): Validity | string {
  const { form, messages } = context;
  const validity = form.get('validity') ?? String(DEFAULT_EXPIRE_MINUTES);
  if (validity === 'own') {
    const expireMinutes = readDuration(form);
    return expireMinutes === undefined ? messages.form.durationMissing : { expireMinutes };
  }
  if (site && (validity === 'until' || isNights(validity)))
    return readEnd(context, validity, checkOutOf(site, context.timeZone));
  const expireMinutes = Object.values(PRESETS).find((minutes) => String(minutes) === validity);
  return expireMinutes === undefined ? messages.form.chooseValidity : { expireMinutes };
}

function readEnd(context: PageContext, validity: string, checkOut: LocalCheckOut): Validity | string {
  const { form, messages, nowMs, language } = context;
  const say = (endS: number) => sayEnd(endS * 1000, { language, timeZone: checkOut.timeZone }, nowMs);
  const nights = nightsIn(validity);
  const endsAtS = nights ? checkOutAfterS(nowMs, nights, checkOut) : readDate(form.get('until'), checkOut);
  if (endsAtS === undefined) return messages.form.dateMissing;
  const expireMinutes = minutesUntil(endsAtS, nowMs);
  if (expireMinutes <= 0) return messages.form.endPassed(say(endsAtS));
  const latestS = checkOutAfterS(nowMs, MAX_NIGHTS, checkOut);
  return endsAtS > latestS ? messages.form.endTooLate(say(latestS)) : { expireMinutes, endsAtS };
}

function readDate(text: string | null, checkOut: LocalCheckOut): number | undefined {
  return text && /^\d{4}-\d\d-\d\d$/.test(text) ? readEndS(text, checkOut) : undefined;
}

const toNights = (nights: number) => `nights-${nights}`;
const nightsIn = (validity: string) => NIGHTS.find((nights) => validity === toNights(nights));
export const isNights = (validity: string) => nightsIn(validity) !== undefined;

/**
 * Whether the form showed another end for the chosen nights, because it was opened on an earlier day. `shown` is the
 * time at which it was opened.
 */
export function showedOtherEnd({ form, nowMs, timeZone }: PageContext, site: Site | undefined): boolean {
  const nights = nightsIn(form.get('validity') ?? '');
  const shownMs = Date.parse(form.get('shown') ?? '');
  if (!site || !nights || Number.isNaN(shownMs)) return false;
  const checkOut = checkOutOf(site, timeZone);
  return checkOutAfterS(shownMs, nights, checkOut) !== checkOutAfterS(nowMs, nights, checkOut);
}

/** The form values that express a validity in minutes. */
export function toMinutesFields(minutes: number): Record<string, string> {
  const isPreset = Object.values<number>(PRESETS).includes(minutes);
  return isPreset ? { validity: String(minutes) } : { validity: 'own', ...toDurationFields(minutes) };
}

/** The form values that express the end after some nights. */
export function toNightsFields(context: PageContext, site: Site, nights: number): Record<string, string> {
  if (NIGHTS.includes(nights)) return { validity: toNights(nights) };
  const checkOut = checkOutOf(site, context.timeZone);
  return toDateFields(checkOutAfterS(context.nowMs, nights, checkOut), checkOut);
}

/** The form values that express the validity of an order. Nights would count from today, so the end becomes a date. */
export function toValidityFields(
  { timeZone }: PageContext,
  site: Site,
  { expireMinutes, endsAtS }: Validity,
): Record<string, string> {
  if (endsAtS === undefined) return toMinutesFields(expireMinutes);
  return toDateFields(endsAtS, checkOutOf(site, timeZone));
}

function toDateFields(endsAtS: number, { timeZone }: LocalCheckOut): Record<string, string> {
  return { validity: 'until', until: calendarDate(endsAtS * 1000, timeZone) };
}

interface Shown {
  sites: Site[];
  /** The site that is selected when the page opens. */
  site: Site | undefined;
  /** The value of another field of the form. */
  typed: (name: string, fallback?: string) => string;
  /** The attributes that link an input to the error, and the error. */
  attributes: Html;
  error: Html | false;
}

export function validityField(context: PageContext, shown: Shown): Html {
  const { messages } = context;
  const { typed, attributes, error } = shown;
  const validity = typed('validity', String(DEFAULT_EXPIRE_MINUTES));
  const radio = (value: string, said: Html | string, id?: string) =>
    html`<label class="chip"><input${id && html` id="${id}"`} type="radio" name="validity" value="${value}"${validity === value && html` checked`}><span>${said}</span></label>`;
  return html`<fieldset class="field validity"><legend>${messages.form.validity}</legend><div class="presets">
${PRESET_NAMES.map((name, index) => radio(String(PRESETS[name]), messages.presets[name], index === 0 ? 'validity' : undefined))}
<div class="own">${radio('own', messages.form.own, 'validity-own')}
${durationInputs(context, { duration: typed('duration'), unit: typed('unit', 'days'), attributes })}</div>
</div>${nightChips(context, shown, radio)}${error}</fieldset>`;
}

function nightChips(
  context: PageContext,
  { sites, site, typed, attributes }: Shown,
  radio: (value: string, said: Html | string, id?: string) => Html,
): Html {
  const { messages, nowMs, timeZone } = context;
  const { form: text } = messages;
  const checkOut = checkOutOf(site ?? { checkOut: '', timeZone: null }, timeZone);
  const day = (nights: number) =>
    calendarDate(checkOutAfterS(nowMs, nights, checkOut) * 1000, checkOut.timeZone);
  return html`<div class="nights" role="group" aria-labelledby="nights">
<p><strong id="nights">${text.nights}</strong> <span class="sub">${text.nightsHint}</span>${endsOf(context, sites)}</p>
<div class="presets few">${NIGHTS.map((nights) => radio(toNights(nights), html`${nights}<span class="hidden-text"> ${text.night(nights)}</span>`))}
<div class="own">${radio('until', text.date, 'validity-until')}
<span class="length"><label class="hidden-text" for="until">${text.departure}</label>
<input id="until" name="until" type="date" min="${day(0)}" max="${day(MAX_NIGHTS)}" value="${typed('until')}"${attributes}></span></div></div></div>`;
}

/**
 * The end of the voucher for each chip. The stylesheet shows the text of the chosen chip. If the sites have different
 * check-out times, `enhance.js` shows the texts of the chosen site; without it, only the result says the end.
 */
function endsOf(context: PageContext, sites: Site[]): Html {
  const { messages, language, nowMs } = context;
  const checkOuts = distinctCheckOuts(context, sites);
  const text = (value: string, key: string, said: string) =>
    html`<span class="end" data-for="${value}" data-check-out="${key}"${checkOuts.size > 1 && html` hidden`}>${said}</span>`;
  return html`${[...checkOuts].map(([key, checkOut]) => [
    ...NIGHTS.map((nights) => {
      const endMs = checkOutAfterS(nowMs, nights, checkOut) * 1000;
      return text(
        toNights(nights),
        key,
        messages.form.until(sayEnd(endMs, { language, ...checkOut }, nowMs)),
      );
    }),
    text('until', key, messages.form.until(checkOut.checkOut)),
  ])}`;
}

/** The check-out times of the sites, by a key that the choice of the site refers to. */
function distinctCheckOuts({ timeZone }: PageContext, sites: Site[]): Map<string, LocalCheckOut> {
  return new Map(
    sites.map((site) => {
      const checkOut = checkOutOf(site, timeZone);
      return [checkOutKey(checkOut), checkOut];
    }),
  );
}

function checkOutKey({ checkOut, timeZone }: LocalCheckOut): string {
  return `${checkOut} ${timeZone}`;
}

/** The attribute with which `enhance.js` finds the texts of a site. */
export function checkOutAttribute({ timeZone }: PageContext, site: Site): Html {
  return html` data-check-out="${checkOutKey(checkOutOf(site, timeZone))}"`;
}
