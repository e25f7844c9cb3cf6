// Changes or resets a password. The user's other sessions end in the same transaction, so that a crash cannot leave a
// stolen session alive.

import { hashPassword } from './password.ts';
import type { PasswordChange, UserStore } from './user.ts';

/** False if there is no user with this e-mail address. */
export type SetPassword = (
  email: string,
  password: string,
  change: Omit<PasswordChange, 'passwordHash'>,
) => Promise<boolean>;

export function makeSetPassword({ users }: { users: Pick<UserStore, 'setPassword'> }): SetPassword {
  return async function setPassword(email, password, change) {
    return users.setPassword(email, { passwordHash: await hashPassword(password), ...change });
  };
}
