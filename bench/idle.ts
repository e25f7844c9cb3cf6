// How long the service takes from the start of its process to its first response, how much memory it uses when it is
// idle, and how much disk a production install needs.

import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { median } from './median.ts';
import { residentMb } from './memory.ts';
import type { Row } from './row.ts';
import { startBareServer } from './start-bare.ts';
import { startServiceProcess } from './start-service.ts';

const STARTS = 9;
const IDLE_MS = 5_000;

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

/** All packages that are neither for development nor, like the runtime, optional, and our own program. */
function installedMb(): number {
  const lock: { packages: Record<string, { dev?: true; devOptional?: true; optional?: true; link?: true }> } =
    JSON.parse(readFileSync('package-lock.json', 'utf8'));
  const folders = Object.entries(lock.packages)
    .filter(([, { dev, devOptional, optional, link }]) => !dev && !devOptional && !optional && !link)
    .map(([folder]) => folder)
    .filter((folder) => folder.startsWith('node_modules/'));
  return [...folders, 'src', 'bin'].reduce((sum, folder) => sum + bytesIn(folder), 0) / 1e6;
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && entry.name !== 'node_modules') bytes += bytesIn(path);
    else if (entry.isFile()) bytes += statSync(path).size;
  }
  return bytes;
}

export async function benchIdle(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  await (await startServiceProcess(dataDir)).stop();
  const bare = await measureStarts(() => startBareServer(Response.json({})));
  const ours = await measureStarts(() => startServiceProcess(dataDir));
  rmSync(dataDir, { recursive: true });
  return [
    {
      name: 'start to first answer',
      unit: 'ms',
      bare: { value: bare.startMs },
      ours: { value: ours.startMs },
      goal: { atMost: 300 },
    },
    {
      name: 'idle memory',
      unit: 'MB',
      bare: { value: bare.idleMb },
      ours: { value: ours.idleMb },
      goal: { atMost: 75 },
    },
    {
      name: 'production install without the runtime',
      unit: 'MB',
      ours: { value: installedMb() },
      goal: { atMost: 40 },
    },
  ];
}
