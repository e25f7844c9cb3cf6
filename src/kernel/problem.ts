// Every way the service refuses a request, as one closed union. The HTTP layer maps each kind to a status and a German
// message; a new kind without a mapping does not compile.

import type { ControllerFailure, FailureCause } from './controllers/controller.ts';
import type { Outdated } from './instances/known-since.ts';
import type { Scope } from './keys/api-key.ts';
import type { TooManyOrdered } from './messages/order-limit.ts';

/** How long to wait if a controller asks for a pause and does not say how long. */
const DEFAULT_PAUSE_S = 5;

export type OrderField = 'max_uses' | 'expire_minutes' | 'down' | 'up' | 'quota_mb';

export interface OutOfBounds {
  kind: 'out-of-bounds';
  field: OrderField;
  min?: number;
  max: number;
}

export type InputProblem =
  | { kind: 'site-id-missing' }
  | { kind: 'name-missing' }
  | { kind: 'name-too-long'; maxCharacters: number }
  | { kind: 'name-not-plain' }
  | OutOfBounds
  | { kind: 'guest-email-malformed' }
  | { kind: 'guest-language-malformed' }
  | { kind: 'guest-print-malformed' }
  | { kind: 'idempotency-key-malformed' };

export type IdempotencyProblem =
  | { kind: 'idempotency-key-reused' }
  | { kind: 'idempotency-key-ended' }
  | { kind: 'idempotency-in-progress'; retryAfterS: number };

/** A call to a controller that failed. */
export interface FailedCall {
  /** What may be done next. `outcome-unknown`: the order was sent, and vouchers may exist on the controller. */
  failure: ControllerFailure['kind'];
  cause?: FailureCause;
  /** In technical terms. */
  text: string;
  /** The URL of the controller that the text is about, so that its host name can be masked in the text. */
  controllerUrl?: string;
}

interface Busy {
  retryAfterS: number;
  /** Set if the controller itself asked for a pause. Otherwise nothing was sent. */
  cause?: 'asks-for-pause';
  /** What the controller said, for the log. */
  text?: string;
}

/** Why an order is refused before the controller is asked, by kind. A feature merges its problems into it. */
export interface OrderProblems {
  'site-not-found': { kind: 'site-not-found' };
  /** The moment at which the vouchers should end has passed. */
  'end-passed': { kind: 'end-passed' };
  /** An instance of an older release is running and would record the vouchers without their end, labels or messages. */
  'instance-outdated': { kind: 'instance-outdated'; outdated: Outdated };
  'too-many-slips': TooManyOrdered<'too-many-slips'>;
}
export type OrderProblem = OrderProblems[keyof OrderProblems];

export type CreationProblem =
  | IdempotencyProblem
  | OutOfBounds
  | OrderProblem
  /** The order was sent, but no usable voucher came back. Vouchers may exist on the controller. */
  | { kind: 'no-valid-voucher' }
  /** The controller was too busy to create the voucher in time, or asked for a pause. No voucher exists. */
  | ({ kind: 'controller-busy' } & Busy)
  | ({ kind: 'creation-failed' } & FailedCall);

export type RevocationProblem =
  | { kind: 'site-not-found' }
  | { kind: 'voucher-not-found' }
  /** The controller did not carry out the call. */
  | ({ kind: 'revocation-busy' } & Busy)
  | ({ kind: 'revocation-failed' } & FailedCall);

export type Problem =
  | { kind: 'unauthorized'; keyWasSent: boolean }
  | { kind: 'rate-limited'; secondsLeft: number }
  | { kind: 'scope-missing'; scope: Scope }
  | InputProblem
  | CreationProblem
  | RevocationProblem;

/** The cause of a failed call. Null if it is not known, or if the controller is not to blame. */
export function causeOf({ kind, cause }: { kind: string; cause?: FailureCause }): FailureCause | null {
  if (cause) return cause;
  if (kind === 'no-valid-voucher') return 'no-voucher';
  return kind === 'controller-busy' || kind === 'revocation-busy' ? 'busy' : null;
}

/** The problem that waiting solves: the controller was busy, or asked for a pause. Undefined for other failures. */
export function findBusy({ cause, text, retryAfterS }: ControllerFailure): Busy | undefined {
  if (cause === 'busy') return { retryAfterS: retryAfterS ?? 1 };
  if (cause === 'asks-for-pause') return { retryAfterS: retryAfterS ?? DEFAULT_PAUSE_S, cause, text };
  return undefined;
}
