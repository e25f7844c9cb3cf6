// Resolves a host name and refuses it if any of its addresses must not be called. The connection uses the checked
// addresses, so that the name cannot resolve to another address in between (DNS rebinding).

import type { LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { findIpIssue, type TargetRule } from './ip-rules.ts';
import { type LookUp, makeSharedDnsLookup } from './shared-dns-lookup.ts';

const LOOKED_UP_WITHIN_MS = 5_000;

/** The code of the error for an address that must not be called. */
export const FORBIDDEN = 'EFORBIDDEN';

class ForbiddenIp extends Error {
  readonly code = FORBIDDEN;
}

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
export function findLiteralIssue(host: string, rule: TargetRule): string | undefined {
  const literal = toLiteral(host);
  const issue = literal && findIpIssue(literal, rule);
  return issue && `${literal} ${issue}`;
}

/** Returns the host if it is an IP address, without the brackets of IPv6; undefined for a name. */
function toLiteral(host: string): string | undefined {
  const bare = host.replace(/^\[(.*)\]$/, '$1');
  return isIP(bare) ? bare : undefined;
}

/** Returns why this host must not be called. A name that cannot be resolved is accepted: it may resolve later. */
export async function findHostIssue(
  host: string,
  rule: TargetRule,
  lookUp: LookUp,
): Promise<string | undefined> {
  if (toLiteral(host)) return findLiteralIssue(host, rule);
  const tooLate = new Promise<[]>((resolve) => setTimeout(resolve, LOOKED_UP_WITHIN_MS, []).unref());
  const addresses = await Promise.race([lookUp(host), tooLate]).catch(() => []);
  return findIssue(host, addresses, rule);
}

function findIssue(hostname: string, addresses: { address: string }[], rule: TargetRule): string | undefined {
  for (const { address } of addresses) {
    const issue = findIpIssue(address, rule);
    if (issue) return `${hostname} stands for ${address}, which ${issue}`;
  }
  return undefined;
}
