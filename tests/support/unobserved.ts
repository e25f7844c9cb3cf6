// For use cases that a test builds by itself: no log, nothing is counted, and no instance is outdated.

import { makeLog } from '../../src/observe/log.ts';

export const unobserved = {
  log: makeLog('silent', { write: () => {} }),
  observeFailure: () => {},
  noteFailedOrder: async () => {},
  findOutdated: async () => undefined,
};
