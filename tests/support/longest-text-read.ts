// Measures the longest text that a pattern or a search for a known secret reads while a function runs.

import type { TestContext } from 'node:test';

export function longestTextRead({ mock }: TestContext, run: () => unknown): number {
  let longest = 0;
  const note = (text: unknown) => {
    if (typeof text === 'string') longest = Math.max(longest, text.length);
  };
  const { exec } = RegExp.prototype;
  const { replaceAll } = String.prototype;
  // Every method that applies a pattern calls `exec`.
  const patterns = mock.method(RegExp.prototype, 'exec', function (this: RegExp, text: string) {
    note(text);
    return exec.call(this, text);
  });
  const searches = mock.method(String.prototype, 'replaceAll', function (this: string, ...args: never[]) {
    note(String(this));
    return Reflect.apply(replaceAll, this, args);
  });
  try {
    run();
  } finally {
    patterns.mock.restore();
    searches.mock.restore();
  }
  return longest;
}
