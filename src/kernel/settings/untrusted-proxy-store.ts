// The store for proxies that are not trusted. One row of the settings table lists the few that were seen last.

import * as v from 'valibot';
import type { Database, Handle } from '../../platform/database/database.ts';
import {
  holdOrStoreSetting,
  selectSetting,
  upsertSetting,
} from '../../platform/database/installation-queries.ts';
import {
  PROXY_FORGOTTEN_AFTER_MS,
  type UntrustedProxy,
  type UntrustedProxyStore,
} from './untrusted-proxies.ts';

const NAME = 'untrusted_proxies';
const MAX_KEPT = 10;
const PROXIES = v.fallback(v.array(v.object({ ip: v.string(), seenAtMs: v.number() })), []);

export function makeUntrustedProxyStore(database: Database): UntrustedProxyStore {
  return {
    list: () => select(database.read),
    note: (proxy) =>
      database.write(async (transaction) => {
        const since = proxy.seenAtMs - PROXY_FORGOTTEN_AFTER_MS;
        const others = (await hold(transaction)).filter(
          ({ ip, seenAtMs }) => ip !== proxy.ip && seenAtMs > since,
        );
        await save(transaction, [proxy, ...others].slice(0, MAX_KEPT));
      }),
    async forget(isTrusted) {
      if (!(await select(database.read)).some(({ ip }) => isTrusted(ip))) return;
      await database.write(async (transaction) => {
        const left = (await hold(transaction)).filter(({ ip }) => !isTrusted(ip));
        await save(transaction, left);
      });
    },
  };
}

async function select(handle: Handle): Promise<UntrustedProxy[]> {
  return v.parse(PROXIES, JSON.parse((await selectSetting(handle, NAME)) ?? '[]'));
}

/** A concurrent note waits for this transaction. */
async function hold(transaction: Handle): Promise<UntrustedProxy[]> {
  return v.parse(PROXIES, JSON.parse(await holdOrStoreSetting(transaction, NAME, '[]')));
}

function save(handle: Handle, proxies: UntrustedProxy[]): Promise<void> {
  return upsertSetting(handle, NAME, JSON.stringify(proxies));
}
