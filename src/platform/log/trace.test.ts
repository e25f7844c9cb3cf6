// Tests reading and passing on the header `traceparent`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentTraceId, nextTraceparent, readTraceparent, withTrace } from './trace.ts';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';

test('a valid header names its trace; only flags that are defined are passed on', () => {
  assert.deepEqual(readTraceparent(`00-${ID}-${PARENT}-01`), { id: ID, flags: '01' });
  assert.deepEqual(readTraceparent(`00-${ID}-${PARENT}-ff`), { id: ID, flags: '03' });
  assert.deepEqual(readTraceparent(`cc-${ID}-${PARENT}-00-later`), { id: ID, flags: '00' });
});

test('a malformed header is ignored', () => {
  const malformed = [
    '',
    'x',
    ID,
    `00-${ID}-${PARENT}`,
    `00-${ID}-${PARENT}-01-more`,
    `00-${ID}-${PARENT}-01, 00-${ID}-${PARENT}-01`,
    `00-${ID.toUpperCase()}-${PARENT}-01`,
    `ff-${ID}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${ID}-${'0'.repeat(16)}-01`,
    `cc-${ID}-${PARENT}-01later`,
  ];
  for (const header of malformed) {
    assert.equal(readTraceparent(header), undefined, header);
    withTrace(header, () => assert.equal(currentTraceId(), undefined));
  }
});

test('a call has the trace of its request and an id of its own, and outside a trace there is none', async () => {
  const calls = await new Promise<(string | undefined)[]>((resolve) =>
    withTrace(`00-${ID}-${PARENT}-01`, async () => {
      await null;
      resolve([nextTraceparent(), nextTraceparent()]);
    }),
  );
  for (const call of calls) assert.match(call ?? '', new RegExp(`^00-${ID}-(?!${PARENT})[0-9a-f]{16}-01$`));
  assert.notEqual(calls[0], calls[1]);
  assert.equal(nextTraceparent(), undefined);
});
