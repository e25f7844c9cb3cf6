// What an examination has read, or why it could not read it. A failed examination becomes a finding and does not stop
// the other examinations.

import { type AnyFinding, type Finding, fault } from './finding.ts';

/** `part`: what was to be examined, in English. */
export type Observed<Value> = { part: string; value: Value; atMs: number } | { part: string; detail: string };

/** `observed` is undefined if the installation does not have this part, or it was not read because of another fault. */
export function judged<Value, One extends AnyFinding>(
  observed: Observed<Value> | undefined,
  judge: (value: Value, atMs: number) => One | One[],
): (One | Finding)[] {
  if (!observed) return [];
  if ('detail' in observed) return [fault({ kind: 'not-examined', ...observed })];
  try {
    const found = judge(observed.value, observed.atMs);
    return Array.isArray(found) ? found : [found];
  } catch (error) {
    return [fault({ kind: 'not-examined', part: observed.part, detail: String(error) })];
  }
}
