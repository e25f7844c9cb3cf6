// How many vouchers per second are created durably on the simulated controller, compared with the number of single
// commits per second that the disk allows. Rounds alternate.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import autocannon from 'autocannon';
import { median } from './median.ts';
import { type RunningService, startServiceProcess } from './start-service.ts';

const CONNECTIONS = 50;
const ROUNDS = 5;
const ROUND_S = 3;

async function createsPerSecond({ url, keyText }: RunningService, connections: number): Promise<number> {
  const result = await autocannon({
    url: `${url}/api/vouchers.php`,
    method: 'POST',
    headers: { authorization: `Bearer ${keyText}` },
    body: JSON.stringify({ site_id: 1, name: 'Zimmer 12' }),
    connections,
    duration: ROUND_S,
  });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.total / result.duration;
}

/** One row, one commit and one sync at a time, as fast as this disk allows. */
function commitsPerSecond(folder: string): number {
  const file = new DatabaseSync(join(folder, 'commits.sqlite'));
  file.exec(
    'pragma journal_mode = wal; pragma synchronous = full; create table if not exists t (a text) strict',
  );
  const insert = file.prepare('insert into t values (?)');
  const startedAt = performance.now();
  let commits = 0;
  while (performance.now() - startedAt < 1_000) {
    insert.run('2026-01-15_Zimmer 12');
    commits++;
  }
  file.close();
  return (commits * 1000) / (performance.now() - startedAt);
}

export async function benchCreate() {
  const service = await startServiceProcess();
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const [many, single, disk]: [number[], number[], number[]] = [[], [], []];
  await createsPerSecond(service, CONNECTIONS);
  for (let round = 0; round < ROUNDS; round++) {
    many.push(await createsPerSecond(service, CONNECTIONS));
    single.push(await createsPerSecond(service, 1));
    disk.push(commitsPerSecond(folder));
  }
  rmSync(folder, { recursive: true });
  await service.stop();
  return { createsPerS: median(many), oneAtATimePerS: median(single), diskCommitsPerS: median(disk) };
}

if (import.meta.main) console.log(await benchCreate());
