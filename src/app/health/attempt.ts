// Runs one examination, so that its failure does not end the others.

import { within } from '../../controllers/upstream/within.ts';
import { DatabaseError, textForCallers } from '../../domain/database-error.ts';
import { explainError } from './explain-error.ts';
import { type Finding, fault } from './finding.ts';

/** An examination that throws or takes too long is reported as a fault; the other examinations continue. */
export function makeAttempt(patienceMs: number) {
  return async function attempt(about: string, job: () => Promise<Finding[]>): Promise<Finding[]> {
    const missing = (detail: string, shown = detail) => [
      fault(about, `cannot be examined: ${detail}`, { kind: 'not-examined', detail: `${about}: ${shown}` }),
    ];
    try {
      const tooSlow = missing(`it took more than ${patienceMs / 1_000} seconds`);
      return await within(AbortSignal.timeout(patienceMs), job, tooSlow);
    } catch (error) {
      const text = explainError(error);
      return missing(text, error instanceof DatabaseError ? textForCallers(error) : text);
    }
  };
}
