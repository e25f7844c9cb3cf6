// The headers of POST /vouchers.php that bring the voucher to the guest: by e-mail, and on paper.

import type { HttpRequest } from '../../platform/http/handler.ts';
import { isLanguageTag, offeredLanguage } from '../../platform/text/language.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { asPrinterId } from '../ids.ts';
import type { InputProblem } from '../problem.ts';
import { MAX_INTEGER, type VoucherOrder } from '../vouchers/voucher-order.ts';

export interface GuestHeaders extends Pick<VoucherOrder, 'mail' | 'print'> {
  /** The headers as they were sent. They are a part of the request that an Idempotency-Key repeats. */
  sent: string[];
}

const NAMES = ['guest-email', 'guest-language', 'guest-print'] as const;
const NONE: GuestHeaders = { sent: [] };

/** A header that was sent twice arrives as one text with a comma, which is not valid. */
export function readGuestHeaders({
  headers,
}: Pick<HttpRequest, 'headers'>): Result<GuestHeaders, InputProblem> {
  const sent = NAMES.filter((name) => headers[name] !== undefined);
  if (sent.length === 0) return ok(NONE);
  const [email, tag, printer] = NAMES.map((name) => headers[name]?.toString());
  if (email !== undefined && !isMailAddress(email)) return fail({ kind: 'guest-email-malformed' });
  if (tag !== undefined && !isLanguageTag(tag)) return fail({ kind: 'guest-language-malformed' });
  if (printer !== undefined && !isPrinterId(printer)) return fail({ kind: 'guest-print-malformed' });
  const language = tag === undefined ? undefined : offeredLanguage(tag);
  return ok({
    ...(email !== undefined && { mail: { address: email, ...(language && { language }) } }),
    ...(printer !== undefined && { print: { printerId: asPrinterId(Number(printer)) } }),
    sent: sent.map((name) => `${name}: ${headers[name]}`),
  });
}

function isPrinterId(text: string): boolean {
  return /^[1-9]\d{0,9}$/.test(text) && Number(text) <= MAX_INTEGER;
}
