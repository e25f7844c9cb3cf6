// The second factor: who needs one, what is needed of its store, and whether a code is right. A code is one of
// an app or a recovery code; guessing is slowed down as it is with passwords.

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
  /** Of the code that it was confirmed with: that one is used. */
  step: number;
  codeHashes: string[];
}

/** A secret that is shown to somebody and not confirmed yet. */
export interface Offer {
  userId: UserId;
  secret: string;
}

export interface SecondFactorStore {
  has(userId: UserId): Promise<boolean>;
  find(userId: UserId): Promise<{ createdAtMs: number; codesLeft: number } | undefined>;
  secretOf(userId: UserId): Promise<{ secret: string; lastStep: number } | undefined>;
  listOwners(): Promise<Set<UserId>>;
  /** False when there is one already. */
  turnOn(user: AuditedUser, factor: NewSecondFactor, audit: AuditContext): Promise<boolean>;
  /** False when it or a later one was used. Of two at the same time one gets true. */
  useStep(userId: UserId, step: number): Promise<boolean>;
  /** False when there is no such code, or not any more. */
  useRecoveryCode(user: AuditedUser, codeHash: string, audit: AuditContext): Promise<boolean>;
  /** Those from before are void. False without a second factor. */
  replaceRecoveryCodes(user: AuditedUser, codeHashes: string[], audit: AuditContext): Promise<boolean>;
  /** With its recovery codes. False when there was none. */
  turnOff(user: AuditedUser, audit: AuditContext): Promise<boolean>;
  /** The same by somebody else. */
  remove(user: AuditedUser, audit: AuditContext): Promise<boolean>;
  /** An offer on its way through its owner's browser, where nobody can change it. */
  sealOffer(offer: Offer): string;
  /** Undefined for what is no offer of ours. */
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
  tried: { code: string; address: string },
) => Promise<Result<undefined, CodeProblem>>;

interface Deps {
  secondFactors: Pick<SecondFactorStore, 'secretOf' | 'useStep' | 'useRecoveryCode'>;
  loginThrottle: LoginThrottleStore;
  clock: Clock;
}

export function makeCheckCode({ secondFactors, loginThrottle, clock }: Deps): CheckCode {
  return async function checkCode(user, { code, address }) {
    const nowMs = clock.nowMs();
    const failures = await loginThrottle.find('account', user.email);
    const waitMs = Math.max(
      waitAfter('account', failures, nowMs),
      waitAfter('address', await loginThrottle.find('address', address), nowMs),
    );
    if (waitMs > 0) return fail({ kind: 'wait', seconds: Math.ceil(waitMs / 1000) });
    // Counted before it is looked at: a code is checked in no time, and a thousand guesses that arrive together
    // would otherwise all be free.
    if (
      !(await loginThrottle.takeAttempt('account', user.email, { seen: failures?.count ?? 0, atMs: nowMs }))
    )
      return fail({ kind: 'wait', seconds: 1 });
    if (!(await isRight(user, { code, address }, nowMs))) {
      await loginThrottle.noteFailure('address', address, nowMs);
      return fail({ kind: 'wrong-code' });
    }
    await loginThrottle.forget('account', user.email);
    return ok(undefined);
  };

  async function isRight(
    user: User,
    { code: typed, address }: { code: string; address: string },
    nowMs: number,
  ): Promise<boolean> {
    const code = typed.replace(/\s/g, '');
    const known = await secondFactors.secretOf(user.id);
    if (!known) return false;
    if (!/^\d{6}$/.test(code)) {
      const audit = { actor: `Web: ${user.name}`, atMs: nowMs, address };
      return secondFactors.useRecoveryCode(user, hashRecoveryCode(code), audit);
    }
    const step = findStep(known.secret, code, { nowMs, lastStep: known.lastStep });
    return step !== undefined && secondFactors.useStep(user.id, step);
  }
}
