// Checks the claims that are stored or compared before they are used. The login is refused if storage would have to
// change a claim, because the changed claim could be that of another user, or if a claim is unreasonably long.

import { isStorable } from '../storable-text.ts';
import type { ProviderIdentity } from './identity-provider.ts';
import { type Rule, valuesOf } from './rules.ts';

/** The limit that OpenID Connect sets for `sub`. */
const MAX_CLAIM_LENGTH = 255;
const STORED = ['email', 'preferred_username', 'name'];

/** What is wrong, for the log and for administrators; undefined if all is well. Contains no values of claims. */
export function findClaimIssue(
  { issuer, subject, claims }: Pick<ProviderIdentity, 'issuer' | 'subject' | 'claims'>,
  rules: Pick<Rule, 'claim'>[],
): string | undefined {
  const names = new Set([...STORED, ...rules.map(({ claim }) => claim)]);
  const checked = [
    ['iss', issuer],
    ['sub', subject],
    ...[...names].flatMap((name) => valuesOf(claims, name).map((value) => [name, value])),
  ];
  for (const [name, value = ''] of checked) {
    if (!isStorable(value)) return `the claim ${name} contains a NUL character or half a character`;
    if (value.length > MAX_CLAIM_LENGTH)
      return `the claim ${name} is longer than ${MAX_CLAIM_LENGTH} characters`;
  }
  return undefined;
}
