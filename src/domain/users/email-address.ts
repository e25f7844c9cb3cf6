// The one form of an e-mail address in which accounts are stored and compared: ASCII, in lower case, an international
// domain in Punycode. A look-alike, such as the Kelvin sign for a k, never becomes another user's address.

import { domainToASCII, domainToUnicode } from 'node:url';

/** The limits of the mail protocol. */
export const MAX_EMAIL_LENGTH = 254;
const MAX_LOCAL_LENGTH = 64;

/** Quoted local parts are refused: `"a"@b` and `a@b` are the same mailbox. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
/** Neither an IP address nor a dot at the end: both are other names of a domain. */
const DOMAIN =
  /^(?!.*(^|\.)[0-9]+$)[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?(\.[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?)*$/;
const NOT_ASCII = /[^\0-\x7f]/;

/** Undefined if the text is no address, or one that could be confused with another. */
export function toEmailAddress(text: string): string | undefined {
  if (text.length > MAX_EMAIL_LENGTH) return undefined;
  const [local = '', domain = '', ...others] = lowerAscii(text).split('@');
  const ascii = toAsciiDomain(domain);
  if (others.length > 0 || ascii === undefined || local.length > MAX_LOCAL_LENGTH || !LOCAL.test(local))
    return undefined;
  const address = `${local}@${ascii}`;
  return address.length <= MAX_EMAIL_LENGTH ? address : undefined;
}

/** Accounts of earlier releases may have other addresses. */
export function isPlainAddress(email: string): boolean {
  return toEmailAddress(email) === email;
}

/**
 * The stored addresses that a typed text can mean, best first. The first is the form of earlier releases, so that their
 * users can still sign in: in lower case, but a text with other letters than ASCII never becomes an ASCII address.
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

/** An international domain must be written in its normal form: IDNA maps other signs to letters, or ignores them. */
function toAsciiDomain(domain: string): string | undefined {
  const ascii = domainToASCII(domain);
  const isNormal = ascii === domain || domainToUnicode(ascii) === domain;
  return isNormal && DOMAIN.test(ascii) ? ascii : undefined;
}
