// Tests DNS lookups: few run at the same time, each name is looked up once, and a slow lookup does not block the
// others.

import assert from 'node:assert/strict';
import dns from 'node:dns';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { makeSharedDnsLookup } from './shared-dns-lookup.ts';

type Callback = (error: Error | null, addresses: { address: string; family: number }[]) => void;

test('each name is looked up once at a time, and at most four names in parallel', async (t) => {
  const asked: { hostname: string; respond: Callback }[] = [];
  t.mock.method(dns, 'lookup', (hostname: string, _options: unknown, respond: Callback) => {
    asked.push({ hostname, respond });
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const lookUp = makeSharedDnsLookup();
  const names = ['a', 'a', 'b', 'c', 'd', 'e', 'e'];
  const responses = names.map((name) => lookUp(name));
  await new Promise(setImmediate);
  assert.deepEqual(
    asked.map(({ hostname }) => hostname),
    ['a', 'b', 'c', 'd'],
  );
  asked[1]?.respond(new Error('away'), []);
  await assert.rejects(responses[2] ?? Promise.resolve(), /away/);
  await new Promise(setImmediate);
  assert.equal(asked.at(-1)?.hostname, 'e');
  for (const { hostname, respond } of asked.filter(({ hostname: name }) => name !== 'b'))
    respond(null, [{ address: `192.0.2.${hostname.charCodeAt(0)}`, family: 4 }]);
  const found = await Promise.all(responses.filter((_, index) => index !== 2));
  assert.deepEqual(
    found.map(([first]) => first?.address),
    ['97', '97', '99', '100', '101', '101'].map((last) => `192.0.2.${last}`),
  );
  void lookUp('a');
  await new Promise(setImmediate);
  assert.equal(asked.at(-1)?.hostname, 'a', 'a result is not cached');
});
