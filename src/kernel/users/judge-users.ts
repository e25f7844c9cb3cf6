// Rules for the users: whether an administrator can sign in, and whether users have e-mail addresses in a form that
// only earlier releases accepted. Such users cannot sign in through single sign-on or a proxy, because their addresses
// could be confused with others.

import { type Finding, passed, warning } from '../health/finding.ts';
import { isPlainAddress } from './email-address.ts';
import type { User } from './user.ts';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}]/gu;

export function judgeUsers(users: Pick<User, 'email' | 'role' | 'active'>[]): Finding[] {
  const count = users.filter(({ role, active }) => role === 'admin' && active).length;
  const emails = users.filter(({ email }) => !isPlainAddress(email)).map(({ email }) => shown(email));
  return [
    count > 0 ? passed({ kind: 'admins-ok', count }) : warning({ kind: 'admins-none' }),
    ...(emails.length > 0 ? [warning({ kind: 'addresses-not-plain', emails })] : []),
  ];
}

function shown(email: string): string {
  return email.replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
