// What an examination has read, or why it could not read it. A failed examination becomes a finding and does not stop
// the other examinations.

import { type AnyFinding, type Finding, fault } from './finding.ts';

/** `part`: what was to be examined, in English. */
export type Observed<Value> = { value: Value; atMs: number } | { part: string; detail: string };

/** `observed` is undefined if the installation does not have this part, or it was not read because of another fault. */
export function judged<Value, One extends AnyFinding>(
  observed: Observed<Value> | undefined,
  judge: (value: Value, atMs: number) => One | One[],
): (One | Finding)[] {
  if (!observed) return [];
  if (!('value' in observed)) return [fault({ kind: 'not-examined', ...observed })];
  const found = judge(observed.value, observed.atMs);
  return Array.isArray(found) ? found : [found];
}
