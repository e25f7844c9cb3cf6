// How long the service takes from the start of its process to its first response, and how much memory it uses when it
// is idle.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './median.ts';
import { startServiceProcess } from './start-service.ts';

const STARTS = 9;
const IDLE_MS = 5_000;

function residentMb(pid: number | undefined): number {
  const kb = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(kb) / 1024;
}

export async function benchIdle() {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const first = await startServiceProcess(dataDir);
  await first.stop();

  const starts: number[] = [];
  let idleMb = 0;
  for (let start = 0; start < STARTS; start++) {
    const service = await startServiceProcess(dataDir);
    starts.push(service.startMs);
    if (start === 0) {
      await sleep(IDLE_MS);
      idleMb = residentMb(service.process.pid);
    }
    await service.stop();
  }
  rmSync(dataDir, { recursive: true });
  return { firstStartMs: first.startMs, startMs: median(starts), idleMb };
}

if (import.meta.main) console.log(await benchIdle());
