// Resolves a host name and refuses it if any of its addresses must not be called. The connection uses the checked
// addresses, so that the name cannot resolve to another address in between (DNS rebinding).

import type { LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { findIpIssue, type TargetRule } from './ip-rules.ts';
import { type LookUp, makeSharedDnsLookup } from './shared-dns-lookup.ts';

const MAX_URL_LENGTH = 2_000;
const LOOKED_UP_WITHIN_MS = 5_000;

class ForbiddenIp extends Error {}

export function makeGuardedLookup(rule: TargetRule, lookUp: LookUp = makeSharedDnsLookup()): LookupFunction {
  return function guardedLookup(hostname, options: LookupOptions, callback) {
    const respond = (addresses: Awaited<ReturnType<LookUp>>) => {
      const issue = findIssue(hostname, addresses, rule);
      if (issue) return callback(new ForbiddenIp(issue), []);
      const [first] = addresses;
      return options.all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
    };
    lookUp(hostname).then(respond, (error) => callback(error, []));
  };
}

/** Checks a host that is an IP address: Node does not call the lookup function for it. */
export function findLiteralIssue(url: URL, rule: TargetRule): string | undefined {
  const literal = literalOf(url);
  const issue = literal && findIpIssue(literal, rule);
  return issue && `${literal} ${issue}`;
}

/** Returns the host if it is an IP address, without the brackets of IPv6; undefined for a name. */
function literalOf({ hostname }: URL): string | undefined {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  return isIP(host) ? host : undefined;
}

/** Returns why a webhook cannot have this URL. A name that cannot be resolved is accepted: it may resolve later. */
export async function findUrlIssue(
  text: string,
  rule: TargetRule,
  lookUp: LookUp = makeSharedDnsLookup(),
): Promise<string | undefined> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'expected an address that begins with http:// or https://';
  if (text.length > MAX_URL_LENGTH) return `longer than ${MAX_URL_LENGTH} characters`;
  if (literalOf(url)) return findLiteralIssue(url, rule);
  const tooLate = new Promise<[]>((resolve) => setTimeout(resolve, LOOKED_UP_WITHIN_MS, []).unref());
  const addresses = await Promise.race([lookUp(url.hostname), tooLate]).catch(() => []);
  return findIssue(url.hostname, addresses, rule);
}

function findIssue(hostname: string, addresses: { address: string }[], rule: TargetRule): string | undefined {
  for (const { address } of addresses) {
    const issue = findIpIssue(address, rule);
    if (issue) return `${hostname} stands for ${address}, which ${issue}`;
  }
  return undefined;
}
