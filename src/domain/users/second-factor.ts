// The second factor: who needs one, its store, and the check of a code. A code comes from an authenticator app or is a
// recovery code; wrong codes are throttled like failed logins.

import { userActor } from '../audit/actor.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { UserId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import { type LoginThrottleStore, waitAfter } from '../sessions/login-throttle.ts';
import type { Settings } from '../settings/settings.ts';
import { hashRecoveryCode } from './recovery-codes.ts';
import { findStep } from './totp.ts';
import type { User } from './user.ts';

type AuditedUser = Pick<User, 'id' | 'email'>;

export interface NewSecondFactor {
  secret: string;
  /** The time step of the code that confirmed the second factor; this step counts as used. */
  step: number;
  codeHashes: string[];
}

/** A secret that was shown to a user and is not confirmed yet. */
export interface Offer {
  userId: UserId;
  secret: string;
}

export interface SecondFactorStore {
  has(userId: UserId): Promise<boolean>;
  find(userId: UserId): Promise<{ createdAtMs: number; codesLeft: number } | undefined>;
  secretOf(userId: UserId): Promise<{ secret: string; lastStep: number } | undefined>;
  listOwners(): Promise<Set<UserId>>;
  /** False if the user already has a second factor. */
  turnOn(user: AuditedUser, factor: NewSecondFactor, audit: AuditContext): Promise<boolean>;
  /** False if this step or a later one was already used. Of two concurrent calls, only one returns true. */
  useStep(userId: UserId, step: number): Promise<boolean>;
  /** False if the user has no such unused code. */
  useRecoveryCode(user: AuditedUser, codeHash: string, audit: AuditContext): Promise<boolean>;
  /** Invalidates the previous codes. False if the user has no second factor. */
  replaceRecoveryCodes(user: AuditedUser, codeHashes: string[], audit: AuditContext): Promise<boolean>;
  /** Also deletes the recovery codes. False if there was no second factor. */
  turnOff(user: AuditedUser, audit: AuditContext): Promise<boolean>;
  /** As `turnOff`, but called by someone other than the user, and audited as a different action. */
  remove(user: AuditedUser, audit: AuditContext): Promise<boolean>;
  /** Seals an offer for its way through the user's browser, so that it cannot be changed there. */
  sealOffer(offer: Offer): string;
  /** Undefined if the text is not an offer sealed by this installation. */
  openOffer(sealed: string): Offer | undefined;
}

export function isSecondFactorRequired(
  { secondFactorFor }: Pick<Settings, 'secondFactorFor'>,
  { role }: Pick<User, 'role'>,
): boolean {
  return secondFactorFor === 'everyone' || (secondFactorFor === 'admins' && role === 'admin');
}

export type CodeProblem = { kind: 'wrong-code' } | { kind: 'wait'; seconds: number };

export type CheckCode = (
  user: User,
  tried: { code: string; ip: string },
) => Promise<Result<undefined, CodeProblem>>;

interface Deps {
  secondFactors: Pick<SecondFactorStore, 'secretOf' | 'useStep' | 'useRecoveryCode'>;
  loginThrottle: LoginThrottleStore;
  clock: Clock;
}

export function makeCheckCode({ secondFactors, loginThrottle, clock }: Deps): CheckCode {
  return async function checkCode(user, { code, ip }) {
    const nowMs = clock.nowMs();
    const failures = await loginThrottle.find('account', user.email);
    // Not by network: the password is right already, and an attack from the same network must not keep the user out.
    const waitMs = waitAfter('account', failures, nowMs);
    if (waitMs > 0) return fail({ kind: 'wait', seconds: Math.ceil(waitMs / 1000) });
    // Count the attempt before checking the code: the check is fast, and a thousand codes sent in parallel would
    // otherwise all be checked without a wait.
    if (
      !(await loginThrottle.takeAttempt('account', user.email, { seen: failures?.count ?? 0, atMs: nowMs }))
    )
      return fail({ kind: 'wait', seconds: 1 });
    if (!(await isRight(user, { code, ip }, nowMs))) {
      await loginThrottle.noteFailure('ip', ip, nowMs);
      return fail({ kind: 'wrong-code' });
    }
    await loginThrottle.forget('account', user.email);
    return ok(undefined);
  };

  async function isRight(
    user: User,
    { code: typed, ip }: { code: string; ip: string },
    nowMs: number,
  ): Promise<boolean> {
    const code = typed.replace(/\s/g, '');
    const known = await secondFactors.secretOf(user.id);
    if (!known) return false;
    if (!/^\d{6}$/.test(code)) {
      const audit = { actor: userActor(user), atMs: nowMs, ip };
      return secondFactors.useRecoveryCode(user, hashRecoveryCode(code), audit);
    }
    const step = findStep(known.secret, code, { nowMs, lastStep: known.lastStep });
    return step !== undefined && secondFactors.useStep(user.id, step);
  }
}
