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

export const FAILURE_CAUSES = [
  'name-unknown',
  'nobody-answers',
  'not-https',
  'other-certificate',
  'unvouched-certificate',
  'not-unifi',
  'no-integration-api',
  'api-key',
  'login',
  'second-factor',
  'role',
  'no-such-site',
  'asks-for-pause',
  'refused',
  'failed',
  'too-slow',
  'broke-off',
  'away',
  'busy',
  'no-voucher',
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/**
 * A failed call, sorted by what may be done next:
 * `refused` – it was understood and turned down; asking again changes nothing.
 * `unreachable` – it never arrived; asking again is safe.
 * `outcome-unknown` – it was sent and no answer came back; what was asked for may exist.
 */
export interface ControllerFailure {
  kind: 'refused' | 'unreachable' | 'outcome-unknown';
  /** For the log and for who knows the controller: technical, in English, with the controller's own words. */
  text: string;
  /** What is wrong, where the driver can tell: pages have words for it and say how to mend it. */
  cause?: FailureCause;
  /** It answered that all is well, only without a voucher that can be read. */
  withoutVoucher?: true;
  /** With cause `busy`: seconds until a retry makes sense. */
  retryAfterS?: number;
}

/**
 * The order of calls while a controller is busy. `finish`: calls that complete a creation, and calls that other calls
 * depend on (login, site lookup). `settle`: the search for vouchers of open intents, and short administrative calls.
 * Then `create`, then `sync`.
 */
export type CallPriority = 'finish' | 'settle' | 'create' | 'sync';

/** The caller that orders vouchers, and the time it still waits. */
export interface Ordering {
  /** Callers take turns, so that one caller's hundreds of orders delay another caller's order by one turn. */
  caller: string;
  leftMs(): number;
}

export interface Bound {
  min?: number;
  max: number;
}

/** Bounds tighter than the service's own. A limit of 0 (unlimited) is always within its bound. */
export type ControllerBounds = Partial<Record<keyof AccessLimits, Bound>>;

export interface Made {
  /**
   * The vouchers created. Contains more than ordered if the controller cannot tell which of several equal vouchers
   * this call created: any unrecorded voucher may be claimed.
   */
  vouchers: UpstreamVoucher[];
  /** Lists them anew, for a caller who finds them all taken: equal ones made since may be among them. */
  lookAgain?: () => Promise<Result<UpstreamVoucher[], ControllerFailure>>;
}

/** A site as its controller knows it: `id` is what a driver is told, `name` what people call it. */
export interface ControllerSite {
  id: string;
  name: string;
}

export type OnVoucherPage = (vouchers: UpstreamVoucher[]) => Promise<void>;

/** The most vouchers that one call creates. */
export const MAX_VOUCHERS_PER_CALL = 100;

/** Every call ends when its signal does. */
export interface Controller {
  readonly bounds: ControllerBounds;
  /** The reason why vouchers ordered now could not be finished in time, or undefined. */
  overload(ordering: Ordering, count: number): ControllerFailure | undefined;
  /**
   * Asks for equal vouchers, once and in one call. Fails with cause `busy`, and sends nothing, if they could not be
   * finished while the caller waits.
   */
  createVouchers(
    order: UpstreamOrder,
    count: number,
    options: Ordering & { signal: AbortSignal },
  ): Promise<Result<Made, ControllerFailure>>;
  /** All vouchers of the site that bear one of these names. */
  findVouchersNamed(
    names: ReadonlySet<string>,
    options: { signal: AbortSignal; priority: CallPriority },
  ): Promise<Result<UpstreamVoucher[], ControllerFailure>>;
  /** Visits all vouchers of the site, some at a time. Undefined when the list was read to its end. */
  forEachVoucherPage(onPage: OnVoucherPage, signal: AbortSignal): Promise<ControllerFailure | undefined>;
  /** First uses by controller voucher id, also of vouchers that are no longer listed once used up. */
  findUses(signal: AbortSignal): Promise<Result<Map<string, number>, ControllerFailure>>;
  /** Undefined when the controller has no voucher of this id any more, whoever deleted it. */
  deleteVoucher(controllerVoucherId: string, signal: AbortSignal): Promise<ControllerFailure | undefined>;
  /** The sites the account may see, whichever site the driver is for. */
  listSites(signal: AbortSignal): Promise<Result<ControllerSite[], ControllerFailure>>;
  /** Undefined when the controller would accept a voucher now, else what is wrong. */
  check(signal: AbortSignal): Promise<ControllerFailure | undefined>;
}
