// Counts requests and their durations by route, method and status, as a Prometheus histogram. Written by hand because
// it runs for every request: a general-purpose histogram takes a tenth of the time of a list request.

import type { RequestFacts } from '../network/request-facts.ts';

const NAME = 'gastpass_http_request_seconds';
const UPPER_MS = [1, 2.5, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 20_000];

interface Tally {
  labels: string;
  /** The number of requests in each bucket. The last bucket counts the requests slower than all bounds. */
  buckets: number[];
  sumMs: number;
  count: number;
}

export function makeRequestTally() {
  const tallies: Tally[] = [];
  /** Keyed by route, method and status. Nested maps avoid building a key string for every request. */
  const index = new Map<string, Map<string, Map<number, Tally>>>();

  function tallyOf({ route, method, status }: RequestFacts): Tally {
    const byMethod = entry(index, route, () => new Map<string, Map<number, Tally>>());
    const byStatus = entry(byMethod, method, () => new Map<number, Tally>());
    return entry(byStatus, status, () => {
      const labels = `route="${route}",method="${method}",status="${status}"`;
      const tally = { labels, buckets: new Array(UPPER_MS.length + 1).fill(0), sumMs: 0, count: 0 };
      tallies.push(tally);
      return tally;
    });
  }

  function observe(facts: RequestFacts): void {
    const tally = tallyOf(facts);
    const { durationMs } = facts;
    let bucket = 0;
    while (durationMs > (UPPER_MS[bucket] ?? Number.POSITIVE_INFINITY)) bucket++;
    tally.buckets[bucket] = (tally.buckets[bucket] ?? 0) + 1;
    tally.sumMs += durationMs;
    tally.count++;
  }

  function render(): string {
    const lines = [
      `# HELP ${NAME} Answered requests by route, method and status, and the seconds they took`,
      `# TYPE ${NAME} histogram`,
    ];
    for (const { labels, buckets, sumMs, count } of tallies) {
      let below = 0;
      for (const [index, upperMs] of UPPER_MS.entries()) {
        below += buckets[index] ?? 0;
        lines.push(`${NAME}_bucket{${labels},le="${upperMs / 1000}"} ${below}`);
      }
      lines.push(`${NAME}_bucket{${labels},le="+Inf"} ${count}`);
      lines.push(`${NAME}_sum{${labels}} ${sumMs / 1000}`, `${NAME}_count{${labels}} ${count}`);
    }
    return `${lines.join('\n')}\n`;
  }

  return { observe, render };
}

function entry<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
