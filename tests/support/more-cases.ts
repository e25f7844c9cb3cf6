// The number of cases of a test that runs in two tiers: few in the everyday tier, many in the long tier.

/** True in the long tier. */
export const withMoreCases = process.env.TEST_MORE_CASES === '1';

export const cases = (counts: { everyday: number; long: number }): number =>
  withMoreCases ? counts.long : counts.everyday;
