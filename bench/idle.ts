// How long the service takes from the start of its process to its first response, and how much memory it uses when it
// is idle: as a package, which is what administrators install, and from a clone. Also how much disk the package needs.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { buildPackage } from './build-package.ts';
import { median } from './median.ts';
import { residentMb } from './memory.ts';
import type { Row } from './row.ts';
import { startBareServer } from './start-bare.ts';
import { startServiceProcess } from './start-service.ts';

const STARTS = 9;
/** V8 gives memory back within 15 seconds after the start. */
const IDLE_MS = 20_000;

async function measureStarts(start: () => ReturnType<typeof startBareServer | typeof startServiceProcess>) {
  const starts: number[] = [];
  let idleMb = 0;
  for (let turn = 0; turn < STARTS; turn++) {
    const running = await start();
    starts.push(running.startMs);
    if (turn === 0) {
      await sleep(IDLE_MS);
      idleMb = residentMb(running.process.pid);
    }
    await running.stop();
  }
  return { startMs: median(starts), idleMb };
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += bytesIn(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}

export async function benchIdle(): Promise<Row[]> {
  const folder = buildPackage();
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  await (await startServiceProcess(dataDir)).stop();
  const bare = await measureStarts(() => startBareServer(Response.json({})));
  const installed = await measureStarts(() =>
    startServiceProcess(dataDir, {}, join(folder, 'bin', 'gastpass')),
  );
  const clone = await measureStarts(() => startServiceProcess(dataDir));
  rmSync(dataDir, { recursive: true });
  const [startMs, idleMb] = [{ value: bare.startMs }, { value: bare.idleMb }];
  return [
    {
      name: 'start to first answer',
      unit: 'ms',
      bare: startMs,
      ours: { value: installed.startMs },
      goal: { atMost: 300 },
    },
    {
      name: 'start to first answer, from a clone',
      unit: 'ms',
      bare: startMs,
      ours: { value: clone.startMs },
    },
    {
      name: 'idle memory',
      unit: 'MB',
      bare: idleMb,
      ours: { value: installed.idleMb },
      goal: { atMost: 70 },
    },
    { name: 'idle memory, from a clone', unit: 'MB', bare: idleMb, ours: { value: clone.idleMb } },
    {
      name: 'production install without the runtime',
      unit: 'MB',
      ours: { value: bytesIn(folder) / 1e6 },
      goal: { atMost: 40 },
    },
  ];
}
