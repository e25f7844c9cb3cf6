// The interface that the driver of every network controller implements, in the service's own terms and units. A driver
// translates these calls into its protocol; it does not depend on the database or on HTTP responses.

import type { Result } from '../../platform/values/result.ts';

export interface VoucherLimits {
  maxUses: number;
  expireMinutes: number;
  /** 0 means unlimited. The same applies to the limits below. */
  downKbps: number;
  upKbps: number;
  quotaMb: number;
}

export interface UpstreamOrder extends VoucherLimits {
  name: string;
}

export interface UpstreamVoucher extends UpstreamOrder {
  /** The controller's id of the voucher; some controllers return none. */
  controllerVoucherId: string | null;
  /** Letters and digits. A controller that returns no code has not created a valid voucher. */
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
  'not-controller',
  'api-missing',
  'api-key',
  'login',
  'second-factor',
  'role',
  'no-such-site',
  'other-console',
  'asks-for-pause',
  'refused',
  'failed',
  'too-slow',
  'broke-off',
  'away',
  'busy',
  'no-voucher',
  'list-too-long',
  /** A newer release stored the site: this release cannot use its controller. */
  'not-known',
] as const;
export type FailureCause = (typeof FAILURE_CAUSES)[number];

/** Failures that changing the address or the credentials can fix. */
const FIXED_BY_CONNECTION: (FailureCause | null)[] = [
  'api-key',
  'login',
  'second-factor',
  'role',
  'name-unknown',
  'not-https',
  'not-controller',
  'api-missing',
  'no-such-site',
];

export function isFixedByConnection(cause: FailureCause | null): boolean {
  return FIXED_BY_CONNECTION.includes(cause);
}

/**
 * The names under which some causes are stored, counted and sent to webhooks. They were chosen when all controllers
 * were UniFi, and must stay: instances of the previous release and the operators' alerts use them.
 */
const PUBLISHED: Partial<Record<FailureCause, string>> = {
  'not-controller': 'not-unifi',
  'api-missing': 'no-integration-api',
};

export function publishedCause(cause: FailureCause): string {
  return PUBLISHED[cause] ?? cause;
}

/** Null if the text is no cause that this release knows. */
export function readCause(text: string | null): FailureCause | null {
  return FAILURE_CAUSES.find((cause) => cause === text || PUBLISHED[cause] === text) ?? null;
}

const REFUSED_LOGINS: (FailureCause | null)[] = ['api-key', 'login', 'second-factor', 'role'];
const SILENT: (FailureCause | null)[] = ['name-unknown', 'nobody-answers', 'too-slow', 'broke-off', 'away'];

/** A failure in short: the controller refuses the login, cannot be reached, or fails in another way. */
export function failureGroupOf(cause: FailureCause | null): 'login' | 'away' | 'other' {
  if (REFUSED_LOGINS.includes(cause)) return 'login';
  return SILENT.includes(cause) ? 'away' : 'other';
}

/** True if the controller was reached but shows a certificate that is not trusted. */
export function isCertificateCause(cause: FailureCause | null | undefined): boolean {
  return cause === 'other-certificate' || cause === 'unvouched-certificate';
}

/**
 * A failed call, classified by what may be done next:
 * `refused`: the controller understood the call and rejected it; repeating the call changes nothing.
 * `unreachable`: the call never arrived; repeating it is safe.
 * `outcome-unknown`: the call was sent and no usable response came back; the call may have taken effect.
 */
export interface ControllerFailure {
  kind: 'refused' | 'unreachable' | 'outcome-unknown';
  /** For the log and for readers who know the controller: technical, in English, with the controller's own message. */
  text: string;
  /** The cause, if the driver can identify it: pages describe it and suggest a fix. */
  cause?: FailureCause;
  /** The controller reported success, but no readable voucher came back. */
  withoutVoucher?: true;
  /** With cause `busy` or `asks-for-pause`: seconds until a retry makes sense. */
  retryAfterS?: number;
}

/** Whether the controller refused this voucher only. A refused login, for example, concerns all vouchers. */
export function isRefusalOfOne({ kind, cause }: ControllerFailure): boolean {
  return kind === 'refused' && (cause === 'refused' || cause === undefined);
}

/**
 * The order of calls while a controller is busy, first to last:
 * `finish`: calls that complete a creation, and calls that other calls depend on (login, site lookup).
 * `settle`: the search for vouchers of open intents, and short administrative calls.
 * `create`: creations and deletions. They take turns, so that many deletions delay a creation by one turn only.
 * `sync`: the calls that sync voucher usage.
 */
export type CallPriority = 'finish' | 'settle' | 'create' | 'sync';

/** The caller that orders vouchers, and how long it will still wait for them. */
export interface OrderingCaller {
  /** Callers take turns, so that one caller's hundreds of orders delay another caller's order by one turn. */
  caller: string;
  leftMs(): number;
}

export interface Bound {
  min?: number;
  max: number;
}

/**
 * The limits for which the controller accepts a smaller range than the service. The value 0 (unlimited) is always
 * allowed.
 */
export type ControllerBounds = Partial<Record<keyof VoucherLimits, Bound>>;

export interface Made {
  /**
   * The created vouchers. If the controller cannot tell which of several equal vouchers this call created, the list
   * contains all of them. The caller may then take any voucher that is not recorded yet.
   */
  vouchers: UpstreamVoucher[];
  /**
   * Reads the vouchers again. Needed if all vouchers in the list are already recorded: the new list may contain equal
   * vouchers that were created since.
   */
  lookAgain?: () => Promise<Result<UpstreamVoucher[], ControllerFailure>>;
}

/** A site as its controller knows it: drivers use `id`, users see `name`. */
export interface ControllerSite {
  id: string;
  name: string;
}

/**
 * `deleted`: the controller had the voucher, and no longer has it. `absent`: the controller says that it does not have
 * the voucher. A replaced controller at the same address would say the same.
 */
export type Deletion = 'deleted' | 'absent';

export type OnVoucherChunk = (vouchers: UpstreamVoucher[]) => Promise<void>;

/**
 * The longest list of vouchers that a driver reads. A longer list fails with the cause `list-too-long`, because an
 * endless list from a faulty controller would fill the memory of the service.
 */
export const MAX_LISTED = 500_000;

export const MAX_VOUCHERS_PER_CALL = 100;

/** A voucher that guests have used. */
export interface VoucherUse {
  controllerVoucherId: string;
  /** How long ago the first device was let in, or earlier. */
  usedForMs: number;
}

export interface Disconnection {
  /** How many devices the controller says it has disconnected. */
  count: number;
  /** Set if further devices may still be online. */
  failure?: ControllerFailure;
}

/** Every call ends when its signal aborts. */
export interface Controller {
  readonly bounds: ControllerBounds;
  /** Undefined if vouchers ordered now can be finished in time, otherwise the reason why not. */
  overload(ordering: OrderingCaller, count: number): ControllerFailure | undefined;
  /**
   * Orders `count` equal vouchers in one call, which is not repeated. Fails with cause `busy`, and sends nothing, if
   * the vouchers could not be finished while the caller waits.
   */
  createVouchers(
    order: UpstreamOrder,
    count: number,
    options: OrderingCaller & { signal: AbortSignal },
  ): Promise<Result<Made, ControllerFailure>>;
  /** All vouchers of the site that have one of these names. */
  findVouchersNamed(
    names: ReadonlySet<string>,
    options: { signal: AbortSignal; priority: CallPriority },
  ): Promise<Result<UpstreamVoucher[], ControllerFailure>>;
  /** Passes all vouchers of the site to `onChunk`, in chunks. Undefined if the list was read to its end. */
  forEachVoucherChunk(onChunk: OnVoucherChunk, signal: AbortSignal): Promise<ControllerFailure | undefined>;
  /**
   * The time of first use for each controller voucher id. Includes used-up vouchers that the controller no longer
   * lists.
   */
  findUses(signal: AbortSignal): Promise<Result<Map<string, number>, ControllerFailure>>;
  /** Succeeds only if the controller itself confirms that it no longer has the voucher, whoever deleted it. */
  deleteVoucher(
    controllerVoucherId: string,
    signal: AbortSignal,
  ): Promise<Result<Deletion, ControllerFailure>>;
  /** Whether the controller lists at least one of these vouchers. */
  listsAny(controllerVoucherIds: string[], signal: AbortSignal): Promise<Result<boolean, ControllerFailure>>;
  /**
   * Disconnects the devices that are online with a voucher. Controllers that cannot do this do not have this method.
   */
  disconnectDevices?(use: VoucherUse, signal: AbortSignal): Promise<Disconnection>;
  /** The sites that the account may access, regardless of the site that the driver was made for. */
  listSites(signal: AbortSignal): Promise<Result<ControllerSite[], ControllerFailure>>;
  /** Undefined if the controller would accept an order now, otherwise the reason why not. */
  check(signal: AbortSignal): Promise<ControllerFailure | undefined>;
  /**
   * The version of the controller's software; undefined if it cannot be read. Controllers without a version do not have
   * this method.
   */
  readVersion?(signal: AbortSignal): Promise<string | undefined>;
}
