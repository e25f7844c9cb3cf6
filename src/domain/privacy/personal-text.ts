// Finds a person's name, e-mail address or IP address in stored texts, as whole words and regardless of case, and
// replaces it.

export const ERASED = '[erased]';
const MIN_LENGTH = 3;

export interface PersonalText {
  isIn(text: string): boolean;
  /** The text with every occurrence replaced. */
  replaceIn(text: string): string;
}

/** Undefined if the text is so short that it would be found in unrelated records. */
export function makePersonalText(text: string): PersonalText | undefined {
  const wanted = text.normalize().trim();
  if ([...wanted].length < MIN_LENGTH) return undefined;
  const literal = wanted.split(/\s+/).map(RegExp.escape).join(String.raw`\s+`);
  const word = String.raw`[\p{L}\p{N}]`;
  const pattern = new RegExp(`(?<!${word})${literal}(?!${word})`, 'giu');
  return {
    isIn: (one) => one.normalize().search(pattern) >= 0,
    replaceIn: (one) => one.normalize().replaceAll(pattern, ERASED),
  };
}
