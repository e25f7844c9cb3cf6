// Rolling codes that no screen shows any more. A guest may still be typing one, so it is revoked only some time later,
// and only if nobody has used it.

import type { Revocable } from '../../kernel/vouchers/revoke-voucher.ts';

export interface ShownCodeStore {
  /** Forgets codes that were used or have ended. They need no revocation. */
  forgetUsed(): Promise<void>;
  /**
   * The codes of active sites that are due by `trustedMs` and by the store's clock, oldest first. Only codes that
   * nobody had used when a sync read the vouchers of the site, and that sync began when the code was due or later.
   */
  listDue(trustedMs: number): Promise<Revocable[]>;
}
