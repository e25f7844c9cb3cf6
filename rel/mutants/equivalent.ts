// Mutants that no test can kill, because the service behaves the same with them. Each has its reason.

export interface Equivalent {
  path: string;
  before: string;
  after: string;
  reason: string;
}

export const EQUIVALENT: Equivalent[] = [];
