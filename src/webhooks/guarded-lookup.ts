// Looks a name up and refuses it when any of its addresses must not be called. Connections are made with this
// very answer, so that a name cannot change its mind in between.

import { type LookupOptions, lookup } from 'node:dns';
import { lookup as lookupAll } from 'node:dns/promises';
import { isIP, type LookupFunction } from 'node:net';
import { findAddressFault, type TargetRule } from './address-rules.ts';

const LONGEST_URL = 2_000;

export class ForbiddenAddress extends Error {}

export function makeGuardedLookup(rule: TargetRule): LookupFunction {
  return function guardedLookup(hostname, options: LookupOptions, callback) {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error) return callback(error, []);
      const fault = findFault(hostname, addresses, rule);
      if (fault) return callback(new ForbiddenAddress(fault), []);
      const [first] = addresses;
      return options.all || !first ? callback(null, addresses) : callback(null, first.address, first.family);
    });
  };
}

/** An address that is written out is not looked up by anybody, so it is looked at here. */
export function findLiteralFault({ hostname }: URL, rule: TargetRule): string | undefined {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const fault = isIP(literal) ? findAddressFault(literal, rule) : undefined;
  return fault && `${literal} ${fault}`;
}

/** Why a webhook cannot have this address. A name that cannot be looked up now may be one later. */
export async function findUrlFault(text: string, rule: TargetRule): Promise<string | undefined> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    return 'expected an address that begins with http:// or https://';
  if (text.length > LONGEST_URL) return `longer than ${LONGEST_URL} characters`;
  const literalFault = findLiteralFault(url, rule);
  if (literalFault) return literalFault;
  const addresses = await lookupAll(url.hostname, { all: true }).catch(() => []);
  return findFault(url.hostname, addresses, rule);
}

function findFault(hostname: string, addresses: { address: string }[], rule: TargetRule): string | undefined {
  for (const { address } of addresses) {
    const fault = findAddressFault(address, rule);
    if (fault) return `${hostname} stands for ${address}, which ${fault}`;
  }
  return undefined;
}
