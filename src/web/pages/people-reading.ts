// Reads what was typed about a person, and says what is wrong with it, field by field.

import type { SiteId } from '../../domain/ids.ts';
import type { Site } from '../../domain/sites/site.ts';
import { SHORTEST_PASSWORD } from '../../domain/users/password.ts';
import { isEmail, type Role } from '../../domain/users/user.ts';
import type { UserVisit } from '../visit.ts';

const LONGEST_NAME = 100;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;

export type PersonFaults = Partial<Record<'name' | 'email' | 'password', string>>;

export interface PersonReading {
  name: string;
  role: Role;
  /** In the order of their numbers; none for administrators, who have all. */
  siteIds: SiteId[];
  faults: PersonFaults;
}

export function readPerson({ form, words }: UserVisit, allSites: Site[]): PersonReading {
  const name = (form.get('name') ?? '').trim();
  const role = form.get('role') === 'admin' ? 'admin' : 'operator';
  const faults: PersonFaults = {
    ...(name === '' && { name: words.form.nameMissing }),
    ...([...name].length > LONGEST_NAME && { name: words.form.nameTooLong(LONGEST_NAME) }),
    ...(INVISIBLE.test(name) && { name: words.form.notPlain }),
  };
  const chosen = allSites.map(({ id }) => id).filter((id) => form.has(`site-${id}`));
  const siteIds = role === 'admin' ? [] : chosen.toSorted((one, other) => one - other);
  return { name, role, siteIds, faults };
}

export function readNewPerson(visit: UserVisit, allSites: Site[]) {
  const { form, words } = visit;
  const { faults, ...person } = readPerson(visit, allSites);
  const email = (form.get('email') ?? '').trim().toLowerCase();
  const typedPassword = form.get('password') ?? '';
  if (!isEmail(email) || INVISIBLE.test(email)) faults.email = words.admin.people.emailWrong;
  if (typedPassword !== '' && [...typedPassword].length < SHORTEST_PASSWORD)
    faults.password = words.account.tooShort(SHORTEST_PASSWORD);
  return { ...person, email, typedPassword, faults };
}
