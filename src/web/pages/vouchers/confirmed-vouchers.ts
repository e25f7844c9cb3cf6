// The vouchers that a confirmation page is about, as a hidden field of its form. Thousands of ids must stay far below
// the size limit of a form, so each id is written as the distance from the previous one.

import { asVoucherId, type VoucherId } from '../../../domain/ids.ts';
import { type Html, html } from '../../ui/html.ts';

const FIELD = 'confirmed';
const DISTANCES = /^[0-9a-z]{1,9}(?: [0-9a-z]{1,9})*$/;

export function writeConfirmed(vouchers: { id: VoucherId }[]): Html {
  const ids = vouchers.map(({ id }) => id).sort((one, other) => one - other);
  const distances = ids.map((id, index) => (id - (ids[index - 1] ?? 0)).toString(36));
  return html`<input type="hidden" name="${FIELD}" value="${distances.join(' ')}">`;
}

/** Undefined if the form has no such field, or a malformed one. */
export function readConfirmed(form: URLSearchParams): VoucherId[] | undefined {
  const text = form.get(FIELD);
  if (text === null || !DISTANCES.test(text)) return undefined;
  let id = 0;
  return text.split(' ').map((distance) => {
    id += Number.parseInt(distance, 36);
    return asVoucherId(id);
  });
}
