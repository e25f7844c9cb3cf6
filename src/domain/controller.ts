// The contract every network controller's driver fulfils, in our words and units.
// A driver turns these calls into its protocol; it knows nothing of our database or of HTTP answers.

import type { Result } from './result.ts';

/** The kinds of controller there is a driver for. */
export const CONTROLLER_KINDS = ['simulator'] as const;

export interface AccessLimits {
  maxUses: number;
  expireMinutes: number;
  /** 0 means unlimited, here and below. */
  downKbps: number;
  upKbps: number;
  quotaMb: number;
}

export interface UpstreamOrder extends AccessLimits {
  name: string;
}

export interface UpstreamVoucher extends UpstreamOrder {
  /** The controller's own id of the voucher; some controllers give none. */
  controllerVoucherId: string | null;
  /** Digits only. A controller that sends none has not made a valid voucher. */
  code: string | null;
  usedCount: number;
  firstUsedAtMs: number | null;
}

/**
 * A failed call, sorted by what may be done next:
 * `refused` – it was understood and turned down; asking again changes nothing.
 * `unreachable` – it never arrived; asking again is safe.
 * `outcome-unknown` – it was sent and no answer came back; what was asked for may exist.
 */
export interface ControllerFailure {
  kind: 'refused' | 'unreachable' | 'outcome-unknown';
  text: string;
}

export interface Bound {
  min?: number;
  max: number;
}

/** Bounds tighter than the service's own. A limit of 0 (unlimited) is always within its bound. */
export type ControllerBounds = Partial<Record<keyof AccessLimits, Bound>>;

export interface Controller {
  readonly bounds: ControllerBounds;
  /**
   * Asks for one voucher, once. Several vouchers come back when the controller cannot tell which of
   * its equal ones was made by this call: any of them that nobody has recorded yet is the caller's.
   */
  createVoucher(order: UpstreamOrder): Promise<Result<UpstreamVoucher[], ControllerFailure>>;
  findVouchersByName(name: string): Promise<Result<UpstreamVoucher[], ControllerFailure>>;
  /** Undefined when the controller would accept a voucher now, else what is wrong. */
  check(): Promise<ControllerFailure | undefined>;
}
