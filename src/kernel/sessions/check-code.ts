// Checks the code of a second factor. A code comes from an authenticator app or is a recovery code. Wrong codes are
// throttled like failed logins; a known device has its own throttle.

import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { userActor } from '../audit/actor.ts';
import { type LoginThrottleStore, waitAfter } from '../users/login-throttle.ts';
import { hashRecoveryCode } from '../users/recovery-codes.ts';
import type { KnownSecret, SecondFactorStore } from '../users/second-factor.ts';
import { findStep } from '../users/totp.ts';
import type { User } from '../users/user.ts';
import type { KnownDevices } from './known-device.ts';

export type CodeProblem = { kind: 'wrong-code' } | { kind: 'wait'; seconds: number };

export interface TriedCode {
  code: string;
  ip: string;
  /** The known-device cookie of the browser for this user. */
  deviceCookie: string | undefined;
}

/** If the code is right, returns when the second factor was set up. */
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
    // Throttle by device or account, not by network: the password was already right, and an attack from the same
    // network must not keep the user out.
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
