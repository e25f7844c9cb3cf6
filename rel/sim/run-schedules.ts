// Runs many schedules, in batches that run side by side: each turn of the event loop runs one event in every world of
// the batch, and the code under test reacts to it.

import { makeSchedule, type Weaken } from './schedule.ts';

/** Small enough to stay in the processor's caches. */
const BATCH = 50;

export interface Failure {
  seed: number;
  faults: string[];
}

export async function runSchedules(
  seeds: { from: number; count: number },
  weaken?: Weaken,
): Promise<Failure[]> {
  const failures: Failure[] = [];
  for (let done = 0; done < seeds.count; done += BATCH) {
    const size = Math.min(BATCH, seeds.count - done);
    const batch = Array.from({ length: size }, (_, index) => {
      const seed = seeds.from + done + index;
      return { seed, schedule: makeSchedule(seed, weaken) };
    });
    let running = batch;
    while (running.length > 0) {
      running = running.filter(({ schedule }) => schedule.world.step());
      // Let all reactions to these events finish before the next events.
      await new Promise(setImmediate);
    }
    for (const { seed, schedule } of batch) {
      const faults = schedule.verdict();
      if (faults.length > 0) failures.push({ seed, faults });
    }
  }
  return failures;
}
