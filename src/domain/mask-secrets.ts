// Takes everything out of a text that could open a door: our keys, passwords, tokens, cookies and the
// user-info of URLs. Used for error texts that leave the house and for every log line.

const MASK = '***';

const patterns: [RegExp, string][] = [
  [/\bgpk_[0-9A-Za-z]+/g, `gpk_${MASK}`],
  [/\bwhsec_[0-9A-Za-z+/=_-]+/g, `whsec_${MASK}`],
  [/\b(bearer|basic)\s+[^\s"',;]+/gi, `$1 ${MASK}`],
  [/\b([a-z][a-z0-9+.-]*:\/\/)[^\s/?#@"']+@/gi, `$1${MASK}@`],
  [/\b((?:set-)?cookie)(["']?\s*[:=]\s*)[^\r\n"']+/gi, `$1$2${MASK}`],
  [
    /\b([\w-]*(?:password|passwd|passphrase|secret|token|api[_-]?key|csrf[\w-]*))(["']?\s*[:=]\s*["']?)[^\s"',;&}]+/gi,
    `$1$2${MASK}`,
  ],
];

export function maskSecrets(text: string): string {
  let masked = text;
  for (const [pattern, replacement] of patterns) masked = masked.replace(pattern, replacement);
  return masked;
}
