// The purpose of an order that is not simply for its caller: the stock, a booking that has changed, or what a feature
// orders. The purpose is stored with the intent, so that it is fulfilled by the order itself or, after a
// crash, by settling.

import type { ScreenId, TermsId, VoucherId } from '../ids.ts';

/** By kind. A feature merges its own purposes into it, and gives the steps for them: see `PurposeSteps`. */
export interface OrderPurposes {
  /**
   * The voucher goes into the stock of a screen or, with null, into the reserve of the site. It is not handed out yet.
   */
  stock: { kind: 'stock'; screenId: ScreenId | null };
  /** The guest got another voucher. If the controller still creates the ordered voucher, it is deleted there. */
  discard: { kind: 'discard' };
  /** The voucher replaces all other living vouchers of the API key that have its reference and its site. */
  rebooking: { kind: 'rebooking' };
  /** A newer order with the same reference was fulfilled first. Its voucher replaces the voucher of this order. */
  superseded: { kind: 'superseded'; successorId: VoucherId };
}
export type OrderPurpose = OrderPurposes[keyof OrderPurposes];

/** The terms that a guest has accepted. */
export interface AcceptedTerms {
  termsId: TermsId;
  acceptedAtS: number;
}
