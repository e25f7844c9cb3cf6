// Injected faults of timing and connections: each has the described effect through all three access paths, namely
// whether the caller gets a response and whether the voucher exists afterwards.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Fault } from '../src/faults/fault-list.ts';
import { type Outcome, openWaysIn, WAYS_IN, type WayIn } from './support/fault-bench.ts';
import { useConsoles } from './support/test-console.ts';
import { until } from './support/until.ts';

const startConsole = useConsoles();

let ways: WayIn[];
before(async () => {
  ways = await openWaysIn(startConsole);
});

const CUT = ['ECONNRESET', 'UND_ERR_SOCKET'];

interface Row {
  fault: Fault;
  /** The number of vouchers that exist after an order with the fault. */
  stored: 0 | 1;
  outcome(outcome: Outcome): void;
  /** Set if waiting is pointless: no response arrives, or the response never ends. */
  inVain?: 'answer' | 'end';
}

const NEVER_MS = 600_000;

function failsWith(...failures: string[]): Row['outcome'] {
  return ({ reply, failure }) =>
    assert.ok(failure && failures.includes(failure), failure ?? `status ${reply?.status}`);
}

const hasResponded: Row['outcome'] = ({ reply, failure }) => {
  assert.ok(reply, failure);
  assert.ok([200, 201].includes(reply.status), reply.text);
  assert.ok(reply.json);
};

const rows: Row[] = [
  { fault: { kind: 'latency', ms: 20 }, stored: 1, outcome: hasResponded },
  {
    fault: { kind: 'latency', ms: NEVER_MS },
    stored: 0,
    outcome: failsWith('no answer'),
    inVain: 'answer',
  },
  { fault: { kind: 'late-answer', ms: 20 }, stored: 1, outcome: hasResponded },
  {
    fault: { kind: 'late-answer', ms: NEVER_MS },
    stored: 1,
    outcome: failsWith('no answer'),
    inVain: 'answer',
  },
  { fault: { kind: 'cut-before-write' }, stored: 0, outcome: failsWith(...CUT) },
  { fault: { kind: 'cut-after-write' }, stored: 1, outcome: failsWith(...CUT) },
  { fault: { kind: 'cut-mid-answer' }, stored: 1, outcome: failsWith(...CUT) },
  { fault: { kind: 'close-after-answer' }, stored: 1, outcome: hasResponded },
  { fault: { kind: 'hang-before-write' }, stored: 0, outcome: failsWith('no answer'), inVain: 'answer' },
  { fault: { kind: 'hang-after-write' }, stored: 1, outcome: failsWith('no answer'), inVain: 'answer' },
  { fault: { kind: 'hang-mid-answer' }, stored: 1, outcome: failsWith('no end'), inVain: 'end' },
  { fault: { kind: 'drip', bytes: 8, ms: 1 }, stored: 1, outcome: hasResponded },
  { fault: { kind: 'huge-headers' }, stored: 1, outcome: failsWith('headers too large') },
  { fault: { kind: 'not-http' }, stored: 1, outcome: failsWith('not HTTP') },
  {
    fault: { kind: 'huge', bytes: 20 * 1024 * 1024 },
    stored: 1,
    outcome({ reply }) {
      assert.ok((reply?.text.length ?? 0) > 20 * 1024 * 1024);
      assert.equal(reply?.json.meta.rc, 'ok');
    },
  },
  { fault: { kind: 'huge', bytes: 1024, written: false }, stored: 0, outcome: hasResponded },
];

function order(way: WayIn, inVain: Row['inVain']): Promise<Outcome> {
  if (inVain === 'answer') return way.createInVain();
  return inVain === 'end' ? way.createWithoutEnd() : way.create();
}

for (const { fault, stored, outcome, inVain } of rows)
  describe(describeFault(fault), () => {
    for (const [index, name] of WAYS_IN.entries())
      test(`${name}: ${stored === 1 ? 'the voucher exists' : 'no voucher'}`, async () => {
        const way = ways[index];
        assert.ok(way);
        const before = way.stored();
        way.setFault({ match: 'create', ...fault });
        outcome(await order(way, inVain));
        assert.equal(way.stored() - before, stored);
        hasResponded(await way.create());
        assert.equal(way.stored() - before, stored + 1, 'the fault must be over after one request');
      });
  });

test('a dripping response arrives in pieces and is complete in the end', async () => {
  const [way] = ways;
  assert.ok(way);
  way.setFault({ match: 'list', kind: 'drip', bytes: 100, ms: 0 });
  const dripped = await way.list();
  assert.deepEqual(dripped.reply?.json, (await way.list()).reply?.json);
});

test('a slowly dripping response takes longer than a short timeout', async () => {
  const [way] = ways;
  assert.ok(way);
  way.setFault({ match: 'list', kind: 'drip', bytes: 1, ms: NEVER_MS });
  failsWith('no end')(await way.listWithoutEnd());
});

test('a connection is reset without notice after a correct response', async () => {
  const { simulator: console } = ways[0] ?? assert.fail();
  const { controls } = console;
  controls.resetFaults();
  const path = '/proxy/network/api/self/sites';
  await console.byKey('GET', path);
  const { connectionsOpen } = controls.counters();
  controls.setFault({ match: 'sites', kind: 'close-after-answer' });
  const response = await console.byKey('GET', path);
  assert.deepEqual([response.status, response.headers.connection], [200, 'keep-alive']);
  await until(() => controls.counters().connectionsOpen < connectionsOpen);
  assert.equal((await console.byKey('GET', path)).status, 200);
});

function describeFault({ kind, ...settings }: Fault): string {
  return Object.keys(settings).length === 0 ? kind : `${kind} ${JSON.stringify(settings)}`;
}
