// The processor time that a process has used so far, or a process with its children.

import { existsSync, readFileSync } from 'node:fs';

/** The kernel counts in hundredths of a second. */
const MS_PER_TICK = 10;

/** User and system time. */
export function cpuMs(pid: number | undefined): number {
  return readTimes(pid).ownMs;
}

/** Counts children that have ended, too. */
export function familyCpuMs(pid: number): number {
  const { ownMs, endedChildrenMs } = readTimes(pid);
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  const living = children.filter((child) => child && existsSync(`/proc/${child}`));
  return living.reduce((sum, child) => sum + cpuMs(Number(child)), ownMs + endedChildrenMs);
}

function readTimes(pid: number | undefined) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15).map(Number);
  return { ownMs: (user + system) * MS_PER_TICK, endedChildrenMs: (endedUser + endedSystem) * MS_PER_TICK };
}
