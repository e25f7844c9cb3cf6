// Finds users whose e-mail addresses only earlier releases accepted. These users cannot sign in through single sign-on
// or a proxy, because their addresses could be confused with others.

import { isPlainAddress } from '../../domain/users/email-address.ts';
import type { User } from '../../domain/users/user.ts';
import { type Finding, sayNames, warning } from './finding.ts';

const MAX_NAMED = 20;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Z}]/gu;

export function judgeAddresses(users: Pick<User, 'email'>[]): Finding[] {
  const emails = users.filter(({ email }) => !isPlainAddress(email)).map(({ email }) => shown(email));
  if (emails.length === 0) return [];
  return [
    warning(
      'addresses',
      `${sayNames(emails, MAX_NAMED)} can sign in only with a password, not through single sign-on or a proxy: gastpass users change-email --email OLD --new-email NEW`,
      { kind: 'addresses-not-plain', emails },
    ),
  ];
}

function shown(email: string): string {
  return email.replace(INVISIBLE, (sign) => `\\u{${sign.codePointAt(0)?.toString(16)}}`);
}
