// A stored value that this release does not know, because a newer release wrote it: during an upgrade, instances of two
// releases share one database. Such a value is shown as unknown and never used, guessed or overwritten.

export const UNKNOWN = 'unknown';
export type OrUnknown<Known> = Known | typeof UNKNOWN;

/** The text for an unknown value in commands and in the log. Web pages use their own text. */
export const NOT_KNOWN_HERE = 'not known to this release';

export function readKnown<Known extends string>(
  known: readonly Known[],
  text: string | null,
): OrUnknown<Known> {
  return known.find((value) => value === text) ?? UNKNOWN;
}
