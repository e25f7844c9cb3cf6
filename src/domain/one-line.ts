// A text of unknown origin as it may be shown and kept: without secrets, on one line, not too long.

import { maskSecrets } from './mask-secrets.ts';

const MAX_TEXT_LENGTH = 300;

export function toOneLine(text: string): string {
  // Control characters could play tricks on a terminal.
  const line = maskSecrets(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    // Nor may a text turn the direction of what follows it.
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  if (line.length <= MAX_TEXT_LENGTH) return line;
  // Half a character is none.
  return `${line.slice(0, MAX_TEXT_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
