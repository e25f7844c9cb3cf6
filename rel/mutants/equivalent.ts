// Mutants that no test can kill, because the service does the same with them, each with the reason.

export interface Equivalent {
  path: string;
  before: string;
  after: string;
  reason: string;
}

export const EQUIVALENT: Equivalent[] = [];
