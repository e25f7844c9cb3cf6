// Makes findings.

import type { Finding, FindingState } from '../../domain/health/finding.ts';
import type { AnyFact } from '../../domain/health/terminal-fact.ts';

const makeFinding =
  (state: FindingState) =>
  <Fact extends AnyFact>(fact: Fact): Finding<Fact> => ({ state, fact });

export const ok = makeFinding('ok');
export const warning = makeFinding('warning');
export const fault = makeFinding('fault');
