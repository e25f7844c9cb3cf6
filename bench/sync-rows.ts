// The rows of the results about syncs of a site with 50,000 vouchers.

import { median } from './median.ts';
import type { Row } from './row.ts';
import { benchSync } from './sync.ts';
import { benchSyncAfterRestart, benchSyncBesideReads } from './sync-beside-reads.ts';

const RUNS = 3;

export async function benchSyncRows(): Promise<Row[]> {
  const { unifi, classic } = await benchSync();
  const p99s: Record<'quiet' | 'first' | 'restarted', number[]> = { quiet: [], first: [], restarted: [] };
  for (let run = 0; run < RUNS; run++) {
    const { quiet, first } = await benchSyncBesideReads();
    p99s.quiet.push(quiet.p99Ms);
    p99s.first.push(first.p99Ms);
    p99s.restarted.push((await benchSyncAfterRestart()).p99Ms);
  }
  const bare = { value: median(p99s.quiet) };
  const beside: Row[] = [
    {
      name: 'lists beside a first sync of 50,000 vouchers, p99 (bare: without a sync)',
      unit: 'ms',
      bare,
      ours: { value: median(p99s.first) },
      goal: { atMost: 25 },
    },
    {
      name: 'the same if the service was restarted before the sync',
      unit: 'ms',
      bare,
      ours: { value: median(p99s.restarted) },
      goal: { atMost: 15 },
    },
  ];
  const syncs = Object.entries({ unifi, 'unifi-classic': classic }).flatMap(
    ([kind, { first, idle }]): Row[] => [
      {
        name: `first sync of 50,000 vouchers, \`${kind}\` (bare: nothing new)`,
        unit: 'ms',
        bare: { value: idle.ms },
        ours: { value: first.ms },
        goal: { atMost: 3_000 },
      },
      {
        name: `the same with \`${kind}\`, most memory`,
        unit: 'MB',
        bare: { value: idle.peakMb },
        ours: { value: first.peakMb },
        goal: { addedAtMost: 50 },
      },
    ],
  );
  return [...syncs, ...beside];
}
