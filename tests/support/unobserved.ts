// For use cases that a test builds by itself: no log, nothing is counted, no instance is outdated, e-mail is not set up,
// and there are no printers.

import { makeLog } from '../../src/platform/log/make-log.ts';
import { fail } from '../../src/platform/values/result.ts';

export const unobserved = {
  log: makeLog('silent', { write: () => {} }),
  observeFailure: () => {},
  noteFailedOrder: async () => {},
  findOutdated: async () => undefined,
  orderMail: async () => fail({ kind: 'mail-not-set-up' as const }),
  orderPrint: async () => fail({ kind: 'printer-unknown' as const }),
};
