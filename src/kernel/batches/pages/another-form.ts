// The form below a new voucher that creates another one with the same values: only the name is typed. With
// JavaScript the name has the focus, so a series of vouchers is name, Enter, name, Enter.

import { randomUUID } from 'node:crypto';
import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { icon } from '../../../platform/pages/ui/icons.ts';
import type { AuthenticatedContext } from '../../pages/context.ts';
import { formToken } from '../../pages/layout.ts';
import type { Site } from '../../sites/site.ts';
import { printsAtOnce } from '../../vouchers/pages/device-choices.ts';
import { toLimitFields } from '../../vouchers/pages/limit-fields.ts';
import { toValidityFields } from '../../vouchers/pages/validity-field.ts';
import type { BatchPart } from '../../vouchers/pages/voucher-slots.ts';
import type { Batch } from '../batch.ts';

/** The values of the voucher form that order the same again, without name and count. */
export function orderFieldsOf(
  context: AuthenticatedContext,
  { order }: Batch,
  site: Site,
): Record<string, string> {
  return {
    site: String(order.siteId),
    uses: String(order.maxUses),
    ...toValidityFields(context, site, order),
    ...toLimitFields(order, context.language),
  };
}

/** `describedBy` is the id of the new code, so that screen readers announce it with the focused field. */
export function anotherForm(
  context: AuthenticatedContext,
  batch: Batch,
  { site, parts, describedBy }: { site: Site; parts: BatchPart[]; describedBy: string },
): Html {
  const { messages, settings } = context;
  const { form: text, result } = messages;
  const kept: Record<string, string> = { batch: randomUUID(), ...orderFieldsOf(context, batch, site) };
  if (printsAtOnce(context))
    Object.assign(kept, { print: 'on' }, ...parts.map(({ printFields }) => printFields));
  const name = html`<label for="name">${result.another(1)} – ${text.name}</label>
<input id="name" name="name" required autocomplete="off" aria-describedby="${describedBy}">`;
  return html`<form class="again" method="post" action="/vouchers" data-working="${text.working}">${formToken(context)}
${Object.entries(kept).map(([field, value]) => html`<input type="hidden" name="${field}" value="${value}">`)}
${settings.asksForNames && name}<button class="button" type="submit">${icon('plus')}${settings.asksForNames ? text.button : result.another(1)}</button></form>`;
}
