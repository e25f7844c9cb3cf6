// Writes and reads the hidden field with the voucher ids of a confirmation page. There may be thousands of ids, so each
// id is written as the difference to the previous id. This keeps the form below its size limit.

import { type Html, html } from '../../../platform/pages/ui/html.ts';
import { asVoucherId, type VoucherId } from '../../ids.ts';

const FIELD = 'confirmed';
const DISTANCES = /^[0-9a-z]{1,9}(?: [0-9a-z]{1,9})*$/;

export function writeConfirmed(vouchers: { id: VoucherId }[]): Html {
  const ids = vouchers.map(({ id }) => id).sort((one, other) => one - other);
  const distances = ids.map((id, index) => (id - (ids[index - 1] ?? 0)).toString(36));
  return html`<input type="hidden" name="${FIELD}" value="${distances.join(' ')}">`;
}

/** Undefined if the form has no field with ids, or if the field is malformed. */
export function readConfirmed(form: URLSearchParams): VoucherId[] | undefined {
  const text = form.get(FIELD);
  if (text === null || !DISTANCES.test(text)) return undefined;
  let id = 0;
  return text.split(' ').map((distance) => {
    id += Number.parseInt(distance, 36);
    return asVoucherId(id);
  });
}
