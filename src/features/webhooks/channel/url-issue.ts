// Checks the URL of a webhook before it is stored.

import { findHostIssue } from '../../../platform/network/targets/guarded-lookup.ts';
import type { TargetRule } from '../../../platform/network/targets/ip-rules.ts';
import { type LookUp, makeSharedDnsLookup } from '../../../platform/network/targets/shared-dns-lookup.ts';

const MAX_URL_LENGTH = 2_000;

/** Returns why a webhook cannot have this URL. */
export async function findUrlIssue(
  text: string,
  rule: TargetRule,
  lookUp: LookUp = makeSharedDnsLookup(),
): Promise<string | undefined> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'expected an address that begins with http:// or https://';
  if (text.length > MAX_URL_LENGTH) return `longer than ${MAX_URL_LENGTH} characters`;
  return findHostIssue(url.hostname, rule, lookUp);
}
