// For use cases that a test builds by itself: no log, nothing is counted, no instance is outdated, e-mail is not set
// up, and there are no printers.

import { makeLog } from '../../src/platform/log/make-log.ts';

export const unobserved = {
  log: makeLog('silent', { write: () => {} }),
  observeFailure: () => {},
  noteFailedOrder: async () => {},
  findOutdated: async () => undefined,
  ways: [],
};
