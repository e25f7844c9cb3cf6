// Tests the request histogram in Prometheus format: valid text, cumulative buckets, one series per route, method and
// status.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeRequestTally } from './request-tally.ts';

const NAME = 'gastpass_http_request_seconds';
const list = { method: 'GET', route: '/api/vouchers.php', status: 200 };

/** Parses the text format. The samples are keyed by name and labels. */
function parse(text: string): Map<string, number> {
  assert.ok(text.endsWith('\n'));
  const samples = new Map<string, number>();
  for (const line of text.trimEnd().split('\n')) {
    if (line.startsWith('#')) continue;
    const [, name, labels, value] =
      /^([a-z_]+)\{((?:[a-z]+="[^"\\\n]*",?)+)\} (\d+(?:\.\d+)?(?:e-?\d+)?)$/.exec(line) ?? [];
    assert.ok(name, `not a sample: ${line}`);
    assert.equal(samples.has(`${name} ${labels}`), false, `duplicate: ${line}`);
    samples.set(`${name} ${labels}`, Number(value));
  }
  return samples;
}

const labelsOf = (status: number) => `route="/api/vouchers.php",method="GET",status="${status}"`;

test('before the first request there is a heading and no sample', () => {
  const text = makeRequestTally().render();
  assert.match(text, new RegExp(`^# HELP ${NAME} \\S.*\\n# TYPE ${NAME} histogram\\n$`));
  assert.equal(parse(text).size, 0);
});

test('count and sum cover all requests, in seconds', () => {
  const tally = makeRequestTally();
  for (const durationMs of [0.5, 1, 250]) tally.observe({ ...list, durationMs });
  const samples = parse(tally.render());
  assert.equal(samples.get(`${NAME}_count ${labelsOf(200)}`), 3);
  assert.equal(samples.get(`${NAME}_sum ${labelsOf(200)}`), 0.2515);
});

test('each bucket counts the requests up to its bound, and the last bucket counts all requests', () => {
  const tally = makeRequestTally();
  for (const durationMs of [0.5, 1, 1.001, 2.5, 9_999, 20_000, 20_001, 1e9])
    tally.observe({ ...list, durationMs });
  const samples = parse(tally.render());
  const bucket = (le: string) => samples.get(`${NAME}_bucket ${labelsOf(200)},le="${le}"`);
  assert.deepEqual(['0.001', '0.0025', '0.005', '5', '10', '20', '+Inf'].map(bucket), [2, 4, 4, 4, 5, 6, 8]);
});

test('buckets never decrease, and the last one equals the count', () => {
  const tally = makeRequestTally();
  for (let durationMs = 0.1; durationMs < 40_000; durationMs *= 1.7) tally.observe({ ...list, durationMs });
  const samples = parse(tally.render());
  const buckets = [...samples]
    .filter(([name]) => name.startsWith(`${NAME}_bucket`))
    .map(([, value]) => value);
  assert.deepEqual(
    buckets,
    [...buckets].sort((one, other) => one - other),
  );
  assert.equal(buckets.at(-1), samples.get(`${NAME}_count ${labelsOf(200)}`));
});

test('routes, methods and statuses are counted separately', () => {
  const tally = makeRequestTally();
  const requests = [
    list,
    { ...list, status: 401 },
    { ...list, method: 'POST' },
    { ...list, route: 'unknown' },
  ];
  for (const request of requests) tally.observe({ ...request, durationMs: 1 });
  const counts = [...parse(tally.render())].filter(([name]) => name.startsWith(`${NAME}_count`));
  assert.deepEqual(
    counts.map(([, value]) => value),
    [1, 1, 1, 1],
  );
});
