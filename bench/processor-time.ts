// The processor time that a process has used so far.

import { readFileSync } from 'node:fs';

/** User and system time; the kernel counts in hundredths of a second. */
export function cpuMs(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
