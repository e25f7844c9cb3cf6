// Creates the first administrator of an installation that was configured without one. The page /setup requires the
// token that the service prints when it starts; each start prints a new token.

import { hashToken } from '../../platform/secrets/token.ts';
import { hasInvisible } from '../../platform/text/invisible.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { toEmailAddress } from './email-address.ts';
import { type LoginThrottleStore, waitAfter } from './login-throttle.ts';
import { hashPassword, makePassword } from './password.ts';
import type { NewUser } from './user.ts';
import { findPasswordIssue, type PasswordIssue } from './weak-password.ts';

export interface FirstAdminStore {
  isNobodyThere(): Promise<boolean>;
  /** Stores the hash of a new token, which replaces the previous one. */
  keepToken(tokenHash: string): Promise<void>;
  isToken(tokenHash: string): Promise<boolean>;
  /** False if the token is wrong or a user already exists. A correct token is used up even if a user exists. */
  add(user: NewUser, input: { tokenHash: string; ip: string }): Promise<boolean>;
}

export interface FirstAdminInput {
  token: string;
  email: string;
  name: string;
  password: string;
  /** The installation's title, which the password must not repeat. */
  title: string;
  ip: string;
}

export type FirstAdminProblem =
  | { kind: 'wrong-token' }
  | { kind: 'wait'; seconds: number }
  | { kind: 'faulty'; fields: ('email' | 'name')[]; password: PasswordIssue | undefined };

export type MakeFirstAdmin = (input: FirstAdminInput) => Promise<Result<undefined, FirstAdminProblem>>;

interface Deps {
  firstAdmin: FirstAdminStore;
  loginThrottle: LoginThrottleStore;
  clock: Clock;
}

/** Returns a new token for /setup if there are no users, otherwise undefined. */
export function makeOfferSetup({ firstAdmin }: Pick<Deps, 'firstAdmin'>) {
  return async function offerSetup(): Promise<string | undefined> {
    if (!(await firstAdmin.isNobodyThere())) return undefined;
    const token = makePassword();
    await firstAdmin.keepToken(hashToken(token));
    return token;
  };
}

export function makeFirstAdminCreator({ firstAdmin, loginThrottle, clock }: Deps): MakeFirstAdmin {
  return async function makeFirstAdmin({ token, email: typed, name, password, title, ip }) {
    const nowMs = clock.nowMs();
    const waitMs = waitAfter('ip', await loginThrottle.find('ip', ip), nowMs);
    if (waitMs > 0) return fail({ kind: 'wait', seconds: Math.ceil(waitMs / 1000) });
    const email = toEmailAddress(typed.trim());
    const faulty = { email: email === undefined, name: name.trim() === '' || hasInvisible(name.trim()) };
    const fields = (['email', 'name'] as const).filter((field) => faulty[field]);
    const issue = findPasswordIssue(password, { email: typed, name, title });
    if (email === undefined || fields.length > 0 || issue)
      return fail({ kind: 'faulty', fields, password: issue });

    const tokenHash = hashToken(token.trim());
    // Check the token before hashing the password, which is expensive.
    if (!(await firstAdmin.isToken(tokenHash))) {
      await loginThrottle.noteFailure('ip', ip, nowMs);
      return fail({ kind: 'wrong-token' });
    }
    const user: NewUser = {
      email,
      name: name.trim(),
      role: 'admin',
      passwordHash: await hashPassword(password),
      createdAtMs: nowMs,
    };
    return (await firstAdmin.add(user, { tokenHash, ip })) ? ok(undefined) : fail({ kind: 'wrong-token' });
  };
}
