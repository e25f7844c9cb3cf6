// Chance for runs that can be repeated.

/**
 * From 0 (inclusive) to 1 (exclusive), always the same for the same text: FNV-1a, then mixed so that similar texts get
 * distant values.
 */
export function chanceOf(words: string): number {
  let mixed = 0x811c9dc5;
  for (const character of words) mixed = Math.imul(mixed ^ (character.codePointAt(0) ?? 0), 0x01000193);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}
