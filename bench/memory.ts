// The memory of a process.

import { readFileSync } from 'node:fs';

export const residentMb = (pid: number | undefined): number => read(pid, 'VmRSS');

/** The most memory that the process has used so far. */
export const peakMb = (pid: number | undefined): number => read(pid, 'VmHWM');

function read(pid: number | undefined, field: string): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}
