// Reads the user form and reports validation issues per field.

import type { SiteId } from '../../../domain/ids.ts';
import type { Site } from '../../../domain/sites/site.ts';
import { MIN_PASSWORD_LENGTH } from '../../../domain/users/password.ts';
import { isEmail, type Role } from '../../../domain/users/user.ts';
import type { AuthenticatedContext } from '../../http/context.ts';

const MAX_NAME_LENGTH = 100;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export type UserIssues = Partial<Record<'name' | 'email' | 'password', string>>;

export interface UserReading {
  name: string;
  role: Role;
  /** In ascending order; empty for administrators, who have access to all sites. */
  siteIds: SiteId[];
  issues: UserIssues;
}

export function readUserForm({ form, messages }: AuthenticatedContext, allSites: Site[]): UserReading {
  const name = (form.get('name') ?? '').trim();
  const role = form.get('role') === 'admin' ? 'admin' : 'operator';
  const issues: UserIssues = {
    ...(name === '' && { name: messages.form.nameMissing }),
    ...([...name].length > MAX_NAME_LENGTH && { name: messages.form.nameTooLong(MAX_NAME_LENGTH) }),
    ...(INVISIBLE.test(name) && { name: messages.form.notPlain }),
  };
  const chosen = allSites.map(({ id }) => id).filter((id) => form.has(`site-${id}`));
  const siteIds = role === 'admin' ? [] : chosen.toSorted((one, other) => one - other);
  return { name, role, siteIds, issues };
}

export function readNewUserForm(context: AuthenticatedContext, allSites: Site[]) {
  const { form, messages } = context;
  const { issues, ...user } = readUserForm(context, allSites);
  const email = (form.get('email') ?? '').trim().toLowerCase();
  const typedPassword = form.get('password') ?? '';
  if (!isEmail(email) || INVISIBLE.test(email)) issues.email = messages.admin.users.emailWrong;
  if (typedPassword !== '' && [...typedPassword].length < MIN_PASSWORD_LENGTH)
    issues.password = messages.account.tooShort(MIN_PASSWORD_LENGTH);
  return { ...user, email, typedPassword, issues };
}
