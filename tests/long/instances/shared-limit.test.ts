// A key's rate limit applies to all instances together, whichever instance gets the request.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Fleet, startFleet } from '../../../rel/instances/fleet.ts';
import { LIMIT, runSharedLimit } from '../../../rel/instances/shared-limit.ts';
import { callApi } from '../../support/run-gastpass.ts';

const ROUNDS = 5;
const AT_ONCE = 400;

let fleet: Fleet;
before(async () => {
  fleet = await startFleet(3);
});
after(() => fleet.stop());

test(`of ${AT_ONCE} concurrent requests to three instances exactly ${LIMIT} succeed, in every window`, async () => {
  const expected = { 200: LIMIT, 429: AT_ONCE - LIMIT };
  const tallies = await runSharedLimit(fleet, { rounds: ROUNDS, atOnce: AT_ONCE });
  assert.deepEqual(tallies, Array(ROUNDS).fill(expected));
});

test('the remaining requests are counted down across instances, with the same reset time', async () => {
  const key = await fleet.issueKey('read', 4);
  const seen = [];
  const resets = new Set();
  for (const instance of [...fleet.instances, ...fleet.instances]) {
    const { status, headers } = await callApi(instance, { key, path: 'sites.php' });
    seen.push([status, headers.get('x-ratelimit-remaining')]);
    resets.add(headers.get('x-ratelimit-reset'));
  }
  assert.deepEqual(seen, [
    [200, '3'],
    [200, '2'],
    [200, '1'],
    [200, '0'],
    [429, '0'],
    [429, '0'],
  ]);
  assert.equal(resets.size, 1);
});
