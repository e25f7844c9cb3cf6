// Masks everything that grants access: API keys, webhook secrets, passwords, tokens, cookies and the user info of URLs.
// Used for error texts that leave the service and for every log line. A long text is cut before the patterns are
// applied, because a controller or an identity provider may send megabytes.

export const MASK = '***';

/** No pattern reads more of a text than this. */
export const MAX_TEXT_LENGTH = 4_096;

const SECRET_WORD = 'password|passwd|passphrase|secret|token|api[_-]?key|csrf[\\w-]{0,20}';
const SECRET_NAME = new RegExp(`${SECRET_WORD}|authorization|cookie`, 'i');

/**
 * Matches a name, a separator and a value. The value is in quotes, in escaped quotes, or ends at the next separator.
 * The closing quote may be missing at the end of the text.
 */
const NAMED_VALUE = new RegExp(
  `\\b([\\w-]{0,40}?(?:${SECRET_WORD}))(\\\\*["']?\\s{0,5}[:=]\\s{0,5})` +
    `(?:(["'])(?:\\\\.|(?!\\3)[^\\\\\\r\\n]){0,${MAX_TEXT_LENGTH}}(?:\\3|\\\\?$)|(\\\\+["'])[^\\r\\n]{0,${MAX_TEXT_LENGTH}}?(?:\\4|$)|["']?[^\\s"',;&}]+)`,
  'gi',
);

// Every repetition is bounded or can match in only one way: matching a hostile text takes linear time.
const patterns: [RegExp, string][] = [
  [/\bgpk_[0-9A-Za-z]+/g, `gpk_${MASK}`],
  // The id of a key that was moved in is `uvt_` and eight digits. It is not masked, because only the whole key grants
  // access.
  [/\buvt_[0-9a-f]{9,}/g, `uvt_${MASK}`],
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, `whsec_${MASK}`],
  [/\b(bearer|basic)\s{1,5}["']?[^\s"',;\\]+/gi, `$1 ${MASK}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"']+@/gi, `$1${MASK}@`],
  // Our paths that open something without a login: invitations, password links, guest pages, printers, rolling codes,
  // results at kiosks, and requests, whose pages may have a second token.
  [/(\/(?:invitation|g|print\/(?:cloudprnt|epson)|rolling|screen\/done)\/)[\w-]+/g, `$1${MASK}`],
  [/(\/request\/)[\w-]+(?:\/[\w-]+)?/g, `$1${MASK}`],
  [/\b((?:set-)?cookie)(\\*["']?\s{0,5}[:=]\s{0,5})\\*["']?[^\r\n"'\\]+/gi, `$1$2${MASK}`],
  [NAMED_VALUE, `$1$2${MASK}`],
];

/** Every pattern needs one of these words. Most texts contain none of them, and one search is faster than many. */
const SUSPICIOUS = new RegExp(
  `gpk_|uvt_|whsec_|bearer|basic|://|/invitation/|/g/|/print/|/rolling/|/screen/|/request/|cookie|${SECRET_WORD}`,
  'i',
);

/** Masks the secrets in the first `MAX_TEXT_LENGTH` characters and drops the rest. */
export function maskSecrets(text: string): string {
  const start = cutText(text);
  if (!SUSPICIOUS.test(start)) return start;
  let masked = start;
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement);
  return masked;
}

/**
 * Masks a secret whose value is known, in the first `MAX_TEXT_LENGTH` characters. If the text is cut within the secret,
 * the remaining part of the secret is masked too.
 */
export function maskKnownSecret(text: string, secret: string): string {
  const start = cutText(text);
  const masked = start.replaceAll(secret, MASK);
  return text.length > MAX_TEXT_LENGTH ? maskEnd(masked, secret, 1) : masked;
}

/** Masks the end of a text if this end is the beginning of the secret, at least `minLength` characters long. */
export function maskEnd(text: string, secret: string, minLength: number): string {
  for (let length = Math.min(secret.length, text.length); length >= minLength; length--)
    if (text.endsWith(secret.slice(0, length))) return text.slice(0, -length) + MASK;
  return text;
}

/**
 * The user info of a URL at the end of a cut text, where its `@` may be missing. Other secrets are recognised by their
 * beginning, so a cut does not hide them.
 */
const CUT_USER_INFO = /:\/\/[^\s/?#"']+$/;
const HALF_OF_A_PAIR = /[\ud800-\udbff]$/;

/** The first `MAX_TEXT_LENGTH` characters of a text. */
function cutText(text: string): string {
  if (text.length <= MAX_TEXT_LENGTH) return text;
  return text.slice(0, MAX_TEXT_LENGTH).replace(HALF_OF_A_PAIR, '').replace(CUT_USER_INFO, `://${MASK}`);
}

export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
