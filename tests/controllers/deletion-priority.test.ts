// Tests that deletions, of which a bulk revocation makes thousands, do not go before the creation of vouchers.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeUnifiDriver } from '../../src/kernel/controllers/unifi/driver.ts';
import { makeUnifiClassicDriver } from '../../src/kernel/controllers/unifi-classic/driver.ts';
import type { SharedSession } from '../../src/kernel/controllers/unifi-classic/session.ts';
import type { CallOptions } from '../../src/kernel/controllers/upstream/call-limiter.ts';
import type { Upstream } from '../../src/kernel/controllers/upstream/upstream-http.ts';
import { ok } from '../../src/platform/values/result.ts';

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

test('a deletion and the reads that confirm it wait in the queue of the creations', async () => {
  const asked: CallOptions['priority'][] = [];
  const respond = (text: string) => async (_: unknown, options: CallOptions) => {
    asked.push(options.priority);
    return ok({ status: 200, headers: {}, text });
  };
  const never = () => Promise.reject(new Error('not needed'));
  const responses = [respond(sites), respond('{"vouchersDeleted":1}')];
  const send: Upstream['send'] = (call, options) => responses.shift()?.(call, options) ?? never();
  const unifi = makeUnifiDriver({
    upstream: { send, stream: never, limiter, close: never },
    apiKey: 'key',
    site: 'default',
  });
  assert.deepEqual(await unifi.deleteVoucher('voucher', going), ok('deleted'));
  assert.deepEqual(asked.splice(0), ['finish', 'create']);

  const done = respond('{"meta":{"rc":"ok"},"data":[]}');
  const list: SharedSession['list'] = async (call, onChunk, options) => {
    await onChunk([{ _id: 'another' }]);
    return done(call, options);
  };
  const classic = makeUnifiClassicDriver({ session: { call: done, list, limiter }, site: 'default' });
  assert.deepEqual(await classic.deleteVoucher('66f1a0c2d3b4e50017a9c001', going), ok('absent'));
  assert.ok(asked.length >= 3 && asked.every((priority) => priority === 'create'), asked.join());
});
