// Finds users whose e-mail addresses only earlier releases accepted. These users cannot sign in through single sign-on
// or a proxy, because their addresses could be confused with others.

import type { Finding } from '../../domain/health/finding.ts';
import { isPlainAddress } from '../../domain/users/email-address.ts';
import type { User } from '../../domain/users/user.ts';
import { warning } from './finding.ts';

const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}]/gu;

export function judgeAddresses(users: Pick<User, 'email'>[]): Finding[] {
  const emails = users.filter(({ email }) => !isPlainAddress(email)).map(({ email }) => shown(email));
  return emails.length === 0 ? [] : [warning({ kind: 'addresses-not-plain', emails })];
}

function shown(email: string): string {
  return email.replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
