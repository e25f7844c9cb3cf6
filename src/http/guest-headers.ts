// The headers of POST /vouchers.php that send the voucher to the guest.

import { isLanguageTag, offeredLanguage } from '../domain/language.ts';
import { isMailAddress } from '../domain/mail/address.ts';
import type { OrderedMail } from '../domain/mail/mail.ts';
import type { InputProblem } from '../domain/problem.ts';
import { fail, ok, type Result } from '../domain/result.ts';
import type { HttpRequest } from './handler.ts';

export interface GuestHeaders {
  mail?: OrderedMail;
  /** The headers as they were sent. They are a part of the request that an Idempotency-Key repeats. */
  sent: string[];
}

const NONE: GuestHeaders = { sent: [] };

/** A header that was sent twice arrives as one text with a comma, which is not valid. */
export function readGuestHeaders({
  headers,
}: Pick<HttpRequest, 'headers'>): Result<GuestHeaders, InputProblem> {
  const email = headers['guest-email'];
  const tag = headers['guest-language'];
  if (email === undefined && tag === undefined) return ok(NONE);
  if (email !== undefined && !(typeof email === 'string' && isMailAddress(email)))
    return fail({ kind: 'guest-email-malformed' });
  if (tag !== undefined && !(typeof tag === 'string' && isLanguageTag(tag)))
    return fail({ kind: 'guest-language-malformed' });
  const language = tag === undefined ? undefined : offeredLanguage(tag);
  return ok({
    ...(email !== undefined && { mail: { address: email, ...(language && { language }) } }),
    sent: [
      ...(email === undefined ? [] : [`guest-email: ${email}`]),
      ...(tag === undefined ? [] : [`guest-language: ${tag}`]),
    ],
  });
}
