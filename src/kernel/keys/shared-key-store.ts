// Looks up the keys of API requests for an installation with several instances. Requests with the same key for the same
// site that arrive during a look-up form a group. One look-up finds the key for all of them and counts them.

import { makeSharedReads } from '../../platform/concurrency/shared-reads.ts';
import type { Database } from '../../platform/database/database.ts';
import type { KeyId } from '../ids.ts';
import type { KeyStore } from './key-records.ts';
import { verdictOn } from './rate-window.ts';
import { type Lookup, makeLookUpKey } from './rate-window-queries.ts';

export function makeSharedKeyLookup(database: Pick<Database, 'read' | 'now'>): KeyStore['lookUp'] {
  const lookUpKey = makeLookUpKey(database.now());
  const groups = new Map<string, Lookup & { count: boolean }>();
  /** Keys that had a limit when they were last looked up. */
  const limited = new Set<KeyId>();
  const lookUpGroup = makeSharedReads(async (name: string) => {
    const group = groups.get(name);
    if (!group) throw new Error('no requests to look up');
    groups.delete(name);
    return { group, found: await lookUpKey(database.read, group) };
  });

  return async function lookUp(request) {
    const { id, hash: bytes, nowMs, siteId = null } = request;
    const count = limited.has(id);
    const hash = bytes.toString('hex');
    const name = `${id} ${hash} ${siteId} ${count}`;
    const joined = groups.get(name) ?? { id, hash, nowMs, siteId, count, requests: 0 };
    groups.set(name, joined);
    const place = ++joined.requests;
    const { group, found } = await lookUpGroup(name);
    if (!found) return undefined;
    const { key, window, listVersion } = found;
    if (key.rateLimit === 0) limited.delete(id);
    else if (!count) {
      limited.add(id);
      return lookUp(request);
    }
    return {
      ...key,
      ...(window && { verdict: verdictOn(place, { ...group, limit: key.rateLimit }, window) }),
      ...(siteId !== null && { list: { version: listVersion } }),
    };
  };
}
