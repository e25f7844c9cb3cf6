// The contract every network controller's driver fulfils, in our words and units.
// A driver turns these calls into its protocol; it knows nothing of our database or of HTTP answers.

import type { Result } from './result.ts';

/** The kinds of controller there is a driver for. */
export const CONTROLLER_KINDS = ['unifi', 'unifi-classic', 'simulator'] as const;
export type ControllerKind = (typeof CONTROLLER_KINDS)[number];

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
  createdAtMs: number;
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
  /** It answered that all is well, only without a voucher that can be read. */
  withoutVoucher?: true;
}

export interface Bound {
  min?: number;
  max: number;
}

/** Bounds tighter than the service's own. A limit of 0 (unlimited) is always within its bound. */
export type ControllerBounds = Partial<Record<keyof AccessLimits, Bound>>;

export interface Made {
  /**
   * The voucher that was made. Several when the controller cannot tell which of its equal ones was made by
   * this call: any of them that nobody has recorded yet is the caller's.
   */
  vouchers: UpstreamVoucher[];
  /** Lists them anew, for a caller who finds them all taken: equal ones made since may be among them. */
  lookAgain?: () => Promise<Result<UpstreamVoucher[], ControllerFailure>>;
}

export type VisitVouchers = (vouchers: UpstreamVoucher[]) => Promise<void>;

/** Every call ends when its signal does. */
export interface Controller {
  readonly bounds: ControllerBounds;
  /** Asks for one voucher, once. */
  createVoucher(order: UpstreamOrder, signal: AbortSignal): Promise<Result<Made, ControllerFailure>>;
  /** All vouchers of the site that bear one of these names. */
  findVouchersNamed(
    names: ReadonlySet<string>,
    signal: AbortSignal,
  ): Promise<Result<UpstreamVoucher[], ControllerFailure>>;
  /** Visits all vouchers of the site, some at a time. Undefined when the list was read to its end. */
  visitVouchers(visit: VisitVouchers, signal: AbortSignal): Promise<ControllerFailure | undefined>;
  /** First uses by controller voucher id, also of vouchers that are no longer listed once used up. */
  findUses(signal: AbortSignal): Promise<Result<Map<string, number>, ControllerFailure>>;
  /** Undefined when the controller has no voucher of this id any more, whoever deleted it. */
  deleteVoucher(controllerVoucherId: string, signal: AbortSignal): Promise<ControllerFailure | undefined>;
  /** Undefined when the controller would accept a voucher now, else what is wrong. */
  check(signal: AbortSignal): Promise<ControllerFailure | undefined>;
}
