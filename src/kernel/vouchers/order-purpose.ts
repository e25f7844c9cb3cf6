// The purpose of an order that is not simply for its caller: the stock, a screen, the request of a guest, or a booking
// that has changed. The purpose is stored with the intent, so that it is fulfilled by the order itself or, after a
// crash, by settling.

import type { GuestRequestId, ScreenId, TermsId, VoucherId } from '../ids.ts';

export type OrderPurpose =
  /** The voucher goes into the stock of a screen or, with null, into the reserve of the site. It is not handed out yet. */
  | { kind: 'stock'; screenId: ScreenId | null }
  /** A guest orders at a screen. The intent takes one of the places that the screen has per minute and day. */
  | { kind: 'screen'; screenId: ScreenId }
  /** A user has approved the request of a guest. */
  | { kind: 'request'; requestId: GuestRequestId }
  /** The guest got another voucher. If the controller still creates the ordered voucher, it is deleted there. */
  | { kind: 'discard' }
  /** The voucher replaces all other living vouchers of the API key that have its reference and its site. */
  | { kind: 'rebooking' }
  /** A newer order with the same reference was fulfilled first. Its voucher replaces the voucher of this order. */
  | { kind: 'superseded'; successorId: VoucherId };

/** The terms that a guest has accepted. */
export interface AcceptedTerms {
  termsId: TermsId;
  acceptedAtS: number;
}

/** Why an intent with a purpose cannot be stored. */
export type PurposeProblem =
  /** The screen has no place left, or is gone. `retryAfterS` says when a place becomes free. */
  | { kind: 'screen-limit'; retryAfterS: number }
  | { kind: 'screen-gone' }
  /** The request is decided, or another user is approving it at the moment. */
  | { kind: 'request-decided' };
