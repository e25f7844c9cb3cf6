// The resident memory of a process in MB, by kind, as the kernel lists it.

import { readFileSync } from 'node:fs';

/** An arena is so large, and begins at a multiple of it. Only its first part can be used yet. */
const ARENA_BYTES = 64 * 1024 * 1024;

/**
 * `main`: what malloc has for the main thread; `arenas`: for all other threads. `others`: V8, WebAssembly, large
 * buffers and stacks. `files`: the program and its libraries.
 */
export type MemoryKinds = Record<'all' | 'main' | 'arenas' | 'others' | 'files', number>;

export function memoryKinds(pid: number | undefined): MemoryKinds {
  const kinds = { all: 0, main: 0, arenas: 0, others: 0, files: 0 };
  const texts = readFileSync(`/proc/${pid}/smaps`, 'utf8').split(/^(?=[0-9a-f]+-[0-9a-f]+ )/m);
  const maps = texts.map((text) => {
    const [, from, to, file, name] = /^(\S+)-(\S+) \S+ \S+ \S+ (\d+) *(.*)$/m.exec(text) ?? [];
    const mb = Number(/^Rss: +(\d+) kB$/m.exec(text)?.[1]) / 1024;
    return { from: Number(`0x${from}`), to: Number(`0x${to}`), isFile: file !== '0', name, mb };
  });
  for (const [index, { from, to, isFile, name, mb }] of maps.entries()) {
    const next = maps[index + 1];
    const end = next?.from === to && to - from < ARENA_BYTES ? next.to : to;
    const isArena = from % ARENA_BYTES === 0 && end - from === ARENA_BYTES;
    kinds[isFile ? 'files' : name === '[heap]' ? 'main' : isArena ? 'arenas' : 'others'] += mb;
    kinds.all += mb;
  }
  return kinds;
}
