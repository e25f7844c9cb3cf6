// Checks claims before they are stored or compared. The login is refused if a claim cannot be stored unchanged, because
// a changed claim could be equal to that of another user. The login is also refused if a claim is unreasonably long.

import { isStorable } from '../../platform/text/storable-text.ts';
import type { ProviderIdentity } from './identity-provider.ts';
import { type Rule, valuesOf } from './rules.ts';

/** The limit that OpenID Connect sets for `sub`. Here it applies to all checked claims. */
const MAX_CLAIM_LENGTH = 255;
const STORED = ['email', 'preferred_username', 'name'];

/**
 * Describes the first problem, for the log and for administrators; undefined if there is none. The description
 * contains no claim values.
 */
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
