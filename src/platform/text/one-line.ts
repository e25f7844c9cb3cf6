// Makes a text of unknown origin safe to show and to store: without secrets, on one line, limited in length.

import { maskSecrets } from '../secrets/mask-secrets.ts';
import { withoutControls } from './control-characters.ts';

const MAX_LINE_LENGTH = 300;

export function toOneLine(text: string): string {
  const line = withoutControls(maskSecrets(text.toWellFormed())).replace(/\s+/g, ' ').trim();
  if (line.length <= MAX_LINE_LENGTH) return line;
  // Do not cut a surrogate pair in half.
  return `${line.slice(0, MAX_LINE_LENGTH - 1).replace(/[\ud800-\udbff]$/, '')}…`;
}
