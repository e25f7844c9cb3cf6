// Injected faults with a wrong response: each has the described effect through all three access paths.

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { Fault } from '../src/faults/fault-list.ts';
import { openWaysIn, WAYS_IN, type WayIn } from './support/fault-bench.ts';
import { type Reply, useConsoles } from './support/test-console.ts';

const startConsole = useConsoles();

let ways: WayIn[];
before(async () => {
  ways = await openWaysIn(startConsole);
});

interface Row {
  fault: Fault;
  /** The number of vouchers that exist after an order with the fault. */
  stored: 0 | 1;
  check(reply: Reply, isIntegration: boolean): void;
}

const isHtml = ({ headers, text }: Reply) =>
  String(headers['content-type']).startsWith('text/html') && text.startsWith('<!DOCTYPE html>');
const codeOf = ({ json }: Reply, isIntegration: boolean) => (isIntegration ? json.code : json.meta.msg);

const rows: Row[] = [
  {
    fault: { kind: 'status' },
    stored: 0,
    check(reply, isIntegration) {
      assert.equal(reply.status, 500);
      assert.ok(codeOf(reply, isIntegration));
    },
  },
  { fault: { kind: 'status', status: 503, body: 'html' }, stored: 0, check: hasStatus(503, isHtml) },
  {
    fault: { kind: 'status', status: 500, written: true },
    stored: 1,
    check: hasStatus(500),
  },
  {
    fault: { kind: 'status', status: 429, body: 'text', text: 'slow down', retryAfterS: 7 },
    stored: 0,
    check: hasStatus(429, ({ text, headers }) => text === 'slow down' && headers['retry-after'] === '7'),
  },
  { fault: { kind: 'status', status: 418, body: 'empty' }, stored: 0, check: hasStatus(418, isEmpty) },
  { fault: { kind: 'status', status: 204, body: 'empty' }, stored: 0, check: hasStatus(204, isEmpty) },
  { fault: { kind: 'restarting' }, stored: 0, check: hasStatus(502, isHtml) },
  { fault: { kind: 'restarting', status: 503 }, stored: 0, check: hasStatus(503, isHtml) },
  { fault: { kind: 'html' }, stored: 1, check: hasStatus(200, isHtml) },
  { fault: { kind: 'html', written: false }, stored: 0, check: hasStatus(200, isHtml) },
  { fault: { kind: 'empty' }, stored: 1, check: hasStatus(200, isEmpty) },
  {
    fault: { kind: 'garbage' },
    stored: 1,
    check: hasStatus(200, ({ text, headers }) => isCalledJson(headers) && text.includes('\ufffd')),
  },
  { fault: { kind: 'wrong-json' }, stored: 1, check: hasStatus(200, ({ text }) => text === '[]') },
  {
    fault: { kind: 'wrong-json', text: '{"data":null}' },
    stored: 1,
    check: hasStatus(200, ({ json }) => json.data === null),
  },
  { fault: { kind: 'truncated-json' }, stored: 1, check: isUnreadable },
  { fault: { kind: 'trailing-garbage' }, stored: 1, check: isUnreadable },
  {
    fault: { kind: 'wrong-content-type' },
    stored: 1,
    check({ headers, json }) {
      assert.equal(headers['content-type'], 'text/html');
      assert.ok(json);
    },
  },
  {
    fault: { kind: 'wrong-content-type', contentType: 'application/octet-stream' },
    stored: 1,
    check: ({ headers }) => assert.equal(headers['content-type'], 'application/octet-stream'),
  },
  ...[301, 302, 303, 307, 308].map((status) => ({
    fault: { kind: 'redirect' as const, status, location: 'https://elsewhere.invalid/x' },
    stored: 0 as const,
    check: hasStatus(status, ({ headers }) => headers.location === 'https://elsewhere.invalid/x'),
  })),
  {
    fault: { kind: 'rc-error', text: 'api.err.Busy' },
    stored: 0,
    check(reply, isIntegration) {
      assert.equal(reply.status, 200);
      if (isIntegration) assert.equal(reply.json.message, 'api.err.Busy');
      else assert.deepEqual(reply.json, { meta: { rc: 'error', msg: 'api.err.Busy' }, data: [] });
    },
  },
  {
    fault: { kind: 'wrong-site' },
    stored: 0,
    check(reply, isIntegration) {
      assert.equal(reply.status, isIntegration ? 404 : 401);
      const expected = isIntegration ? 'api.resource-not-found' : 'api.err.NoSiteContext';
      assert.equal(codeOf(reply, isIntegration), expected);
    },
  },
  {
    fault: { kind: 'no-permission' },
    stored: 0,
    check(reply, isIntegration) {
      assert.equal(reply.status, 403);
      if (!isIntegration) assert.equal(reply.json.meta.msg, 'api.err.NoPermission');
    },
  },
  {
    fault: { kind: 'unauthorized' },
    stored: 0,
    check: hasStatus(401, ({ json }) => json.error.message === 'Unauthorized'),
  },
  {
    fault: { kind: 'rate-limited' },
    stored: 0,
    check(reply, isIntegration) {
      assert.deepEqual([reply.status, reply.headers['retry-after']], [429, '5']);
      assert.equal(codeOf(reply, isIntegration), 'api.rate-limit.exceeded');
    },
  },
];

for (const { fault, stored, check } of rows)
  describe(`${fault.kind} ${JSON.stringify(fault)}`, () => {
    for (const [index, name] of WAYS_IN.entries())
      test(`${name}: ${stored === 1 ? 'the voucher exists' : 'no voucher'}`, async () => {
        const way = ways[index];
        assert.ok(way);
        const before = way.stored();
        way.setFault({ match: 'create', ...fault });
        const { reply, failure } = await way.create();
        assert.ok(reply, failure);
        check(reply, name === 'integration');
        assert.equal(way.stored() - before, stored);
        const { reply: healed } = await way.create();
        assert.ok(
          healed?.status === 200 || healed?.status === 201,
          'the fault must be over after one request',
        );
        assert.equal(way.stored() - before, stored + 1);
      });
  });

function hasStatus(status: number, holds: (reply: Reply) => boolean = () => true): Row['check'] {
  return (reply) => {
    assert.equal(reply.status, status);
    assert.ok(holds(reply), reply.text);
  };
}

function isEmpty({ text }: Reply): boolean {
  return text === '';
}

function isCalledJson(headers: Reply['headers']): boolean {
  return String(headers['content-type']).startsWith('application/json');
}

function isUnreadable({ status, headers, text, json }: Reply): void {
  assert.ok(status === 200 || status === 201);
  assert.ok(isCalledJson(headers));
  assert.ok(text.startsWith('{'));
  assert.equal(json, undefined);
}
