// Looks a name up and refuses it when any of its addresses must not be called. Connections are made with this
// very answer, so that a name cannot change its mind in between.

import type { LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { findAddressFault, type TargetRule } from './address-rules.ts';
import { type LookUp, makeSharedLookup } from './shared-lookup.ts';

const LONGEST_URL = 2_000;
const LOOKED_UP_WITHIN_MS = 5_000;

export class ForbiddenAddress extends Error {}

export function makeGuardedLookup(rule: TargetRule, lookUp: LookUp = makeSharedLookup()): LookupFunction {
  return function guardedLookup(hostname, options: LookupOptions, callback) {
    const answer = (addresses: Awaited<ReturnType<LookUp>>) => {
      const fault = findFault(hostname, addresses, rule);
      if (fault) return callback(new ForbiddenAddress(fault), []);
      const [first] = addresses;
      return options.all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
    };
    lookUp(hostname).then(answer, (error) => callback(error, []));
  };
}

/** An address that is written out is not looked up by anybody, so it is looked at here. */
export function findLiteralFault({ hostname }: URL, rule: TargetRule): string | undefined {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const fault = isIP(literal) ? findAddressFault(literal, rule) : undefined;
  return fault && `${literal} ${fault}`;
}

/** Why a webhook cannot have this address. A name that cannot be looked up now may be one later. */
export async function findUrlFault(
  text: string,
  rule: TargetRule,
  lookUp: LookUp = makeSharedLookup(),
): Promise<string | undefined> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'expected an address that begins with http:// or https://';
  if (text.length > LONGEST_URL) return `longer than ${LONGEST_URL} characters`;
  const literalFault = findLiteralFault(url, rule);
  if (literalFault) return literalFault;
  if (isIP(url.hostname.replace(/^\[(.*)\]$/, '$1'))) return undefined;
  const tooLate = new Promise<[]>((resolve) => setTimeout(resolve, LOOKED_UP_WITHIN_MS, []).unref());
  const addresses = await Promise.race([lookUp(url.hostname), tooLate]).catch(() => []);
  return findFault(url.hostname, addresses, rule);
}

function findFault(hostname: string, addresses: { address: string }[], rule: TargetRule): string | undefined {
  for (const { address } of addresses) {
    const fault = findAddressFault(address, rule);
    if (fault) return `${hostname} stands for ${address}, which ${fault}`;
  }
  return undefined;
}
