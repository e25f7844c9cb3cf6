// Finds what needs the attention of an administrator. The overview lists the concerns, and the menu shows their number.

import type { Clock } from '../../platform/time/clock.ts';
import type { Installation } from '../installation.ts';
import type { Concern, ConcernSource } from './concern.ts';

/** The number of concerns in the menu may be this old. */
export const COUNT_KEPT_MS = 10_000;

export type FindConcerns = () => Promise<Concern[]>;

export function makeFindConcerns(
  installation: Installation,
  sources: readonly ConcernSource[],
): FindConcerns {
  const inOrder = sources.toSorted((one, other) => one.place - other.place);
  return async () => {
    const found: Concern[] = [];
    for (const { find } of inOrder) found.push(...(await find(installation)));
    return found;
  };
}

/** Counts anew if the last count of this process is older than `keptMs`. */
export type CountConcerns = (keptMs?: number) => Promise<number>;

/** Counts at most once in COUNT_KEPT_MS, because every page of an administrator shows the number. */
export function makeCountConcerns(deps: { findConcerns: FindConcerns; clock: Clock }): CountConcerns {
  let counted: { atMs: number; count: Promise<number> } | undefined;

  return async function countConcerns(keptMs = COUNT_KEPT_MS) {
    const nowMs = deps.clock.nowMs();
    // If the last count is dated in the future, the clock was set back: count again.
    if (!counted || nowMs - counted.atMs >= keptMs || nowMs < counted.atMs)
      counted = { atMs: nowMs, count: count() };
    return counted.count;
  };

  /** Returns 0 if the concerns cannot be read, so that the page can still be shown. */
  async function count(): Promise<number> {
    return deps.findConcerns().then(
      (concerns) => concerns.length,
      () => 0,
    );
  }
}
