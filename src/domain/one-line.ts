// Makes a text of unknown origin safe to show and to store: without secrets, on one line, limited in length.

import { maskSecrets } from './mask-secrets.ts';

const MAX_LINE_LENGTH = 300;

export function toOneLine(text: string): string {
  // Control characters could manipulate a terminal.
  const line = maskSecrets(text.toWellFormed())
    .replace(/[\s\p{Cc}]+/gu, ' ')
    // Bidirectional controls could reverse the text that follows.
    .replace(/[\u202a-\u202e\u2066-\u2069]/g, '')
    .trim();
  if (line.length <= MAX_LINE_LENGTH) return line;
  // Do not cut a surrogate pair in half.
  return `${line.slice(0, MAX_LINE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
