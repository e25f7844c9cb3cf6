// Rules turn what the provider says about a user into a role and sites. They are evaluated at every login and at every
// check of a session; a user whom no rule matches does not get in.

import type { SiteId } from '../../kernel/ids.ts';
import { toEmailAddress } from '../../kernel/users/email-address.ts';
import type { Role } from '../../kernel/users/user.ts';
import type { Claims } from './identity-provider.ts';

export interface Rule {
  id: string;
  /** The name of a claim; dots lead into nested claims, as in `realm_access.roles`. */
  claim: string;
  /**
   * Must be equal to the claim, or to one item of a claim that is a list. `*` matches every value that is not empty.
   */
  value: string;
  role: Role;
  /** The sites of an operator; administrators have all sites. */
  siteIds: SiteId[];
}

export interface Rights {
  role: Role;
  /** In ascending order; empty for administrators. */
  siteIds: SiteId[];
}

/** The rights that rules give to a user. */
export interface Grant extends Rights {
  ruleIds: string[];
}

export const MAX_RULES = 100;
export const MAX_RULE_TEXT_LENGTH = 200;
const ANY_VALUE = '*';

export interface RuleOptions {
  /** Whether an e-mail address counts as verified even if the provider does not say so. */
  trustsEmail: boolean;
}

/** The combined grant of all matching rules: their highest role and all their sites. Undefined if no rule matches. */
export function grantFor(claims: Claims, rules: Rule[], options: RuleOptions): Grant | undefined {
  return grantOf(matchingRules(claims, rules, options));
}

/** Undefined if `matching` is empty. */
export function grantOf(matching: Rule[]): Grant | undefined {
  if (matching.length === 0) return undefined;
  const ruleIds = matching.map(({ id }) => id);
  if (matching.some(({ role }) => role === 'admin')) return { role: 'admin', siteIds: [], ruleIds };
  const siteIds = [...new Set(matching.flatMap((rule) => rule.siteIds))];
  return { role: 'operator', siteIds: siteIds.sort((one, other) => one - other), ruleIds };
}

/** The rights that are contained in both `one` and `other`. An administrator has all sites. */
export function commonRights(one: Rights, other: Rights): Rights {
  if (one.role === 'admin') return other;
  if (other.role === 'admin') return one;
  return { role: 'operator', siteIds: one.siteIds.filter((id) => other.siteIds.includes(id)) };
}

export function matchingRules(claims: Claims, rules: Rule[], options: RuleOptions): Rule[] {
  return rules.filter(({ claim, value }) => {
    // At many providers, users can enter any e-mail address. An address that is not verified proves nothing.
    const values = claim === 'email' ? [verifiedText(claims, options) ?? ''] : valuesOf(claims, claim);
    return values.some((found) => found !== '' && (found === value || value === ANY_VALUE));
  });
}

/**
 * The verified e-mail address in the form in which accounts store it. Undefined if there is none, or if the address
 * could be confused with another one.
 */
export function verifiedEmail(claims: Claims, options: RuleOptions): string | undefined {
  const text = verifiedText(claims, options);
  return text === undefined ? undefined : toEmailAddress(text);
}

/** The e-mail address as the provider writes it; undefined if there is none or it is not verified. */
export function verifiedText(claims: Claims, { trustsEmail }: RuleOptions): string | undefined {
  const isVerified = claims.email_verified === true || claims.email_verified === 'true';
  if (isVerified || trustsEmail) {
    // Entra ID often has no `email`, but a `preferred_username` in the form of an address.
    const email = claims.email ?? (trustsEmail ? claims.preferred_username : undefined);
    if (typeof email === 'string') return email;
  }
  return undefined;
}

/** The strings, numbers and booleans of a claim, converted to strings. */
export function valuesOf(claims: Claims, name: string): string[] {
  const found = findClaim(claims, name);
  const values = Array.isArray(found) ? found : [found];
  return values.flatMap((value) =>
    typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
      ? [String(value)]
      : [],
  );
}

/**
 * First looks for a claim with exactly this name, because a name such as a URL contains dots. Then looks for a nested
 * claim.
 */
function findClaim(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>((inner, part) => (isObject(inner) ? inner[part] : undefined), claims);
}

function isObject(value: unknown): value is Claims {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
