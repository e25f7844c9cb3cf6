// Runs one examination, so that its failure does not end the others.

import { within } from '../../controllers/upstream/within.ts';
import type { Finding, HealthFact } from '../../domain/health/finding.ts';
import { explainError } from './explain-error.ts';
import { fault } from './finding.ts';

/** An examination that throws or takes too long is reported as a fault; the other examinations continue. */
export function makeAttempt(patienceMs: number, explain = explainError) {
  return async function attempt<Fact>(
    part: string,
    job: () => Promise<Finding<Fact>[]>,
  ): Promise<Finding<Fact | HealthFact>[]> {
    const missing = (detail: string): Finding<Fact | HealthFact>[] => [
      fault({ kind: 'not-examined', part, detail }),
    ];
    try {
      const tooSlow = missing(`it took more than ${patienceMs / 1_000} seconds`);
      return await within<Finding<Fact | HealthFact>[]>(AbortSignal.timeout(patienceMs), job, tooSlow);
    } catch (error) {
      return missing(explain(error));
    }
  };
}
