// Every way the service refuses a request, as one closed union. The HTTP layer maps each kind to a status and a German
// message; a new kind without a mapping does not compile.

import type { FailureCause } from './controller.ts';
import type { Outdated } from './instances/known-since.ts';
import type { Scope } from './keys/api-key.ts';

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
  | { kind: 'code-missing' }
  | { kind: 'name-too-long'; maxCharacters: number }
  | { kind: 'name-not-plain' }
  | OutOfBounds
  | { kind: 'idempotency-key-malformed' };

export type IdempotencyProblem = { kind: 'idempotency-key-reused' } | { kind: 'idempotency-in-progress' };

/** Why a controller failed, in technical terms. */
interface ControllerText {
  text: string;
  /** The URL of the controller that the text is about, so that its host name can be masked in the text. */
  controllerUrl?: string;
}

export type CreationProblem =
  | IdempotencyProblem
  | OutOfBounds
  | { kind: 'site-not-found' }
  | { kind: 'no-valid-voucher' }
  /** The moment at which the vouchers should end has passed. */
  | { kind: 'end-passed' }
  /** An instance of an older release is running and would record the vouchers without their end. */
  | { kind: 'instance-outdated'; outdated: Outdated }
  /** The controller was too busy to create the voucher in time, so nothing was sent and no voucher exists. */
  | { kind: 'controller-busy'; retryAfterS: number }
  | ({ kind: 'creation-failed'; cause?: FailureCause } & ControllerText);

export type RevocationProblem =
  | { kind: 'site-not-found' }
  | { kind: 'voucher-not-found' }
  /** Nothing was sent to the controller. */
  | { kind: 'revocation-busy'; retryAfterS: number }
  | ({ kind: 'revocation-failed' } & ControllerText);

export type Problem =
  | { kind: 'unauthorized'; keyWasSent: boolean }
  | { kind: 'rate-limited'; secondsLeft: number }
  | { kind: 'scope-missing'; scope: Scope }
  | InputProblem
  | CreationProblem
  | RevocationProblem;

/** The cause of a failed order. Null if it is not known, or if the controller is not to blame. */
export function causeOf(problem: CreationProblem): FailureCause | null {
  if (problem.kind === 'no-valid-voucher') return 'no-voucher';
  if (problem.kind === 'controller-busy') return 'busy';
  return (problem.kind === 'creation-failed' && problem.cause) || null;
}
