// The form fields for the limits of a voucher: speeds in Mbit/s, the data volume in GB or MB. When they are read, they
// are converted to kbit/s and MB. An empty field is read as 0, which means unlimited.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import type { Language } from '../../../platform/text/language.ts';
import { readThousands, toThousands } from '../../../platform/texts/amounts.ts';
import type { PageContext } from '../../pages/context.ts';
import { MAX_INTEGER } from '../voucher-order.ts';

const VOLUME_UNITS = ['MB', 'GB'] as const;

interface Limits {
  downKbps: number;
  upKbps: number;
  quotaMb: number;
}

/** The form values that express these limits. */
export function toLimitFields({ downKbps, upKbps, quotaMb }: Limits, language: Language) {
  const isSmall = quotaMb > 0 && quotaMb < 1_000;
  return {
    down: toThousands(downKbps, language),
    up: toThousands(upKbps, language),
    quota: isSmall ? String(quotaMb) : toThousands(quotaMb, language),
    quotaUnit: isSmall ? 'MB' : 'GB',
  };
}

/** Reads a speed in kbit/s. Undefined if the input is invalid. */
export function readSpeed({ form, language }: PageContext, field: 'down' | 'up'): number | undefined {
  return within(readThousands(textOf(form, field), language));
}

/** Reads the data volume in MB. Undefined if the input is invalid. */
export function readQuota({ form, language }: PageContext): number | undefined {
  const text = textOf(form, 'quota');
  if (form.get('quotaUnit') !== 'MB') return within(readThousands(text, language));
  return /^\d{1,10}$/.test(text) ? within(Number(text)) : undefined;
}

function textOf(form: URLSearchParams, field: string): string {
  return (form.get(field) ?? '').trim() || '0';
}

function within(value: number | undefined): number | undefined {
  return value !== undefined && value <= MAX_INTEGER ? value : undefined;
}

interface Shown {
  quota: string;
  quotaUnit: string;
  /** Extra attributes of the number input, such as `aria-describedby`. */
  attributes: Html;
}

export function quotaInputs(
  { messages: { form } }: PageContext,
  { quota, quotaUnit, attributes }: Shown,
): Html {
  return html`<span class="length"><input id="quota" name="quota" inputmode="decimal" autocomplete="off" value="${quota}"${attributes}>
<label class="hidden-text" for="quota-unit">${form.unit}</label><select id="quota-unit" name="quotaUnit">${VOLUME_UNITS.map(
    (unit) => html`<option${unit === quotaUnit && html` selected`}>${unit}</option>`,
  )}</select></span>`;
}
