// Masks everything that grants access: API keys, webhook secrets, passwords, tokens, cookies and the user info of URLs.
// Used for error texts that leave the service and for every log line.

export const MASK = '***';

const SECRET_WORD = 'password|passwd|passphrase|secret|token|api[_-]?key|csrf[\\w-]{0,20}';
const SECRET_NAME = new RegExp(`${SECRET_WORD}|authorization|cookie`, 'i');

/** A name and a separator, then a value in quotes, in escaped quotes, or up to the next separator. */
const NAMED_VALUE = new RegExp(
  `\\b([\\w-]{0,40}?(?:${SECRET_WORD}))(\\\\*["']?\\s{0,5}[:=]\\s{0,5})` +
    `(?:(["'])(?:\\\\.|(?!\\3)[^\\\\\\r\\n]){0,4000}\\3|(\\\\+["'])[^\\r\\n]{0,4000}?\\4|["']?[^\\s"',;&}]+)`,
  'gi',
);

// Every repetition is bounded or can match in only one way: matching a hostile text takes linear time.
const patterns: [RegExp, string][] = [
  [/\bgpk_[0-9A-Za-z]+/g, `gpk_${MASK}`],
  // The id of a key that was moved in is `uvt_` and eight digits; only the whole key grants access.
  [/\buvt_[0-9a-f]{9,}/g, `uvt_${MASK}`],
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, `whsec_${MASK}`],
  [/\b(bearer|basic)\s{1,5}["']?[^\s"',;\\]+/gi, `$1 ${MASK}`],
  [/\b([a-z][a-z0-9+.-]{0,20}:\/\/)[^\s/?#"']{1,500}@/gi, `$1${MASK}@`],
  [/\b((?:set-)?cookie)(\\*["']?\s{0,5}[:=]\s{0,5})\\*["']?[^\r\n"'\\]+/gi, `$1$2${MASK}`],
  [NAMED_VALUE, `$1$2${MASK}`],
];

/** Every pattern needs one of these words. Most texts contain none of them, and one search is faster than seven. */
const SUSPICIOUS = new RegExp(`gpk_|uvt_|whsec_|bearer|basic|://|cookie|${SECRET_WORD}`, 'i');

export function maskSecrets(text: string): string {
  if (!SUSPICIOUS.test(text)) return text;
  let masked = text;
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement);
  return masked;
}

/** Whether a field with this name holds a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name);
}
