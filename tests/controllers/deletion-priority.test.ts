// Tests that deletions, of which a bulk revocation makes thousands, do not go before the creation of vouchers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUnifiDriver } from '../../src/controllers/unifi/driver.ts';
import { makeUnifiClassicDriver } from '../../src/controllers/unifi-classic/driver.ts';
import type { CallOptions } from '../../src/controllers/upstream/call-limiter.ts';
import { ok } from '../../src/domain/result.ts';

const going = new AbortController().signal;
const limiter = { overload: () => undefined, isBusy: () => false };
const SITE = '6f3c1a52-0b7e-4d19-9c44-2f1f4b6d7e01';
const sites = JSON.stringify({
  offset: 0,
  limit: 200,
  count: 1,
  totalCount: 1,
  data: [{ id: SITE, internalReference: 'default', name: 'Default' }],
});

test('a deletion waits in the queue of the creations', async () => {
  const seen: CallOptions[] = [];
  const answer = (text: string) => async (_: unknown, options: CallOptions) => {
    seen.push(options);
    return ok({ status: 200, headers: {}, text });
  };
  const never = () => Promise.reject(new Error('not needed'));
  const upstream = { send: answer(sites), stream: never, limiter, close: never };
  const session = { call: answer('{"meta":{"rc":"ok"},"data":[]}'), list: never, limiter };
  const drivers = [
    makeUnifiDriver({ upstream, apiKey: 'key', site: 'default' }),
    makeUnifiClassicDriver({ session, site: 'default' }),
  ];
  for (const driver of drivers) {
    assert.equal(await driver.deleteVoucher('voucher', going), undefined);
    assert.equal(seen.at(-1)?.priority, 'create');
  }
});
