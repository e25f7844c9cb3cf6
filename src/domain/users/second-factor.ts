// The second factor: who needs one, its store, and the check of a code. A code comes from an authenticator app or is a
// recovery code; wrong codes are throttled like failed logins, with a throttle of its own for a known device.

import { userActor } from '../audit/actor.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { Clock } from '../clock.ts';
import type { UserId } from '../ids.ts';
import { fail, ok, type Result } from '../result.ts';
import type { KnownDevices } from '../sessions/known-device.ts';
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

interface KnownSecret {
  secret: string;
  lastStep: number;
  createdAtMs: number;
}

export interface SecondFactorStore {
  has(userId: UserId): Promise<boolean>;
  find(userId: UserId): Promise<{ createdAtMs: number; codesLeft: number } | undefined>;
  secretOf(userId: UserId): Promise<KnownSecret | undefined>;
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

export interface TriedCode {
  code: string;
  ip: string;
  /** The known-device cookie of the browser for this user. */
  deviceCookie: string | undefined;
}

/** Returns when the second factor was set up. */
export type CheckCode = (
  user: User,
  tried: TriedCode,
) => Promise<Result<{ factorAtMs: number }, CodeProblem>>;

interface Deps {
  secondFactors: Pick<SecondFactorStore, 'secretOf' | 'useStep' | 'useRecoveryCode'>;
  loginThrottle: LoginThrottleStore;
  knownDevices: Pick<KnownDevices, 'readForCode'>;
  clock: Clock;
}

export function makeCheckCode({ secondFactors, loginThrottle, knownDevices, clock }: Deps): CheckCode {
  return async function checkCode(user, { code, ip, deviceCookie }) {
    const nowMs = clock.nowMs();
    const known = await secondFactors.secretOf(user.id);
    if (!known) return fail({ kind: 'wrong-code' });
    const device = await knownDevices.readForCode(deviceCookie, user, known.createdAtMs);
    // Not by network: the password is right already, and an attack from the same network must not keep the user out.
    const [throttled, subject] = device
      ? (['device-code', `${user.email} ${device}`] as const)
      : (['account', user.email] as const);
    const failures = await loginThrottle.find(throttled, subject);
    const waitMs = waitAfter(throttled, failures, nowMs);
    if (waitMs > 0) return fail({ kind: 'wait', seconds: Math.ceil(waitMs / 1000) });
    // Count the attempt before checking the code: the check is fast, and a thousand codes sent in parallel would
    // otherwise all be checked without a wait.
    if (!(await loginThrottle.takeAttempt(throttled, subject, { seen: failures?.count ?? 0, atMs: nowMs })))
      return fail({ kind: 'wait', seconds: 1 });
    if (!(await isRight(user, known, { code, ip, nowMs }))) {
      if (!device) await loginThrottle.noteFailure('ip', ip, nowMs);
      return fail({ kind: 'wrong-code' });
    }
    await loginThrottle.forget(throttled, subject);
    return ok({ factorAtMs: known.createdAtMs });
  };

  async function isRight(
    user: User,
    known: KnownSecret,
    { code: typed, ip, nowMs }: { code: string; ip: string; nowMs: number },
  ): Promise<boolean> {
    const code = typed.replace(/\s/g, '');
    if (!/^\d{6}$/.test(code)) {
      const audit = { actor: userActor(user), atMs: nowMs, ip };
      return secondFactors.useRecoveryCode(user, hashRecoveryCode(code), audit);
    }
    const step = findStep(known.secret, code, { nowMs, lastStep: known.lastStep });
    return step !== undefined && secondFactors.useStep(user.id, step);
  }
}
