// The one form of an e-mail address in which accounts are stored and compared: ASCII, in lower case, an international
// domain in Punycode. A look-alike, such as the Kelvin sign for a k, never becomes another user's address.

import { domainToASCII, domainToUnicode } from 'node:url';

/** The limits of the mail protocol. */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** Quoted local parts are refused: `"a"@b` and `a@b` are the same mailbox. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** An IP address or a dot at the end is refused: it would be a second way to write the domain of a mailbox. */
const DOMAIN =
  /^(?!.*(^|\.)[0-9]+$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const NOT_ASCII = /[^\0-\x7f]/;

/** Undefined if the text is no address, or if it is an address that could be confused with another one. */
export function toEmailAddress(text: string): string | undefined {
  if (text.length > MAX_EMAIL_LENGTH) return undefined;
  const [local = '', domain = '', ...others] = lowerAscii(text).split('@');
  const ascii = toAsciiDomain(domain);
  if (others.length > 0 || ascii === undefined || local.length > MAX_LOCAL_LENGTH || !LOCAL.test(local))
    return undefined;
  const address = `${local}@${ascii}`;
  return address.length <= MAX_EMAIL_LENGTH ? address : undefined;
}

/**
 * Whether the address has the form in which accounts are stored now. Accounts of earlier releases may have other forms.
 */
export function isPlainAddress(email: string): boolean {
  return toEmailAddress(email) === email;
}

/**
 * The stored addresses that a typed text can mean, the best match first. The first one is the text in lower case, as
 * earlier releases stored it, so that their users can still sign in. The change to lower case never turns a text with
 * non-ASCII letters into an ASCII address, which could be another user's.
 */
export function addressesMeant(typed: string): string[] {
  const text = typed.trim();
  const lowered = text.toLowerCase();
  const isFolded = NOT_ASCII.test(text) && !NOT_ASCII.test(lowered);
  const earlier = isFolded ? lowerAscii(text) : lowered;
  return [...new Set([earlier, toEmailAddress(earlier) ?? earlier])];
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/**
 * Accepts an international domain only in its normal form. In other forms, IDNA replaces or drops some characters, and
 * a look-alike could become the domain of another user.
 */
function toAsciiDomain(domain: string): string | undefined {
  const ascii = domainToASCII(domain);
  const isNormal = ascii === domain || domainToUnicode(ascii) === domain;
  return isNormal && DOMAIN.test(ascii) ? ascii : undefined;
}
