// For use cases that a test builds by itself: no log, and nothing is counted.

import { makeLog } from '../../src/observe/log.ts';

export const unobserved = {
  log: makeLog('silent', { write: () => {} }),
  observeFailure: () => {},
  noteFailedOrder: async () => {},
};
