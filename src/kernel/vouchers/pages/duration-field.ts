// The form field for a duration: a number and a unit. The duration is converted to minutes when it is read. It is shown
// in the largest unit that needs no fraction.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { PageContext } from '../../pages/context.ts';
import { MAX_INTEGER } from '../voucher-order.ts';

const UNITS = [
  ['days', 1_440],
  ['hours', 60],
  ['minutes', 1],
] as const;

/** The form values that express `minutes`. */
export function toDurationFields(minutes: number): { duration: string; unit: string } {
  const [unit, size] = UNITS.find((one) => minutes % one[1] === 0) ?? UNITS[2];
  return { duration: String(minutes / size), unit };
}

/** Reads the duration in minutes. Undefined if the input is not a valid voucher duration. */
export function readDuration(form: URLSearchParams): number | undefined {
  const text = (form.get('duration') ?? '').trim();
  const [, size] = UNITS.find(([unit]) => unit === (form.get('unit') ?? 'minutes')) ?? [];
  if (!/^\d{1,10}$/.test(text) || size === undefined) return undefined;
  const minutes = Number(text) * size;
  return minutes >= 1 && minutes <= MAX_INTEGER ? minutes : undefined;
}

interface Shown {
  duration: string;
  unit: string;
  /** Extra attributes of the number input, such as `aria-describedby`. */
  attributes?: Html | undefined;
  /** The label of the additional unit `nights`, if the form offers it. The caller reads its value. */
  nights?: string;
}

export function durationInputs(
  { messages: { form } }: PageContext,
  { duration, unit, attributes, nights }: Shown,
): Html {
  return html`<span class="length"><label class="hidden-text" for="duration">${form.duration}</label>
<input id="duration" name="duration" type="number" inputmode="numeric" min="1" value="${duration}"${attributes}>
<label class="hidden-text" for="unit">${form.unit}</label><select id="unit" name="unit">${UNITS.toReversed().map(
    ([name]) => html`<option value="${name}"${name === unit && html` selected`}>${form.units[name]}</option>`,
  )}${nights && html`<option value="nights"${unit === 'nights' && html` selected`}>${nights}</option>`}</select></span>`;
}
