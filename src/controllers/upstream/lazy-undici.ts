// Loads undici when the first real controller is used. A service without a real controller starts faster and uses ten
// megabytes less memory.

import { createRequire } from 'node:module';

type Undici = typeof import('undici');

const load = createRequire(import.meta.url);
let loaded: Undici | undefined;

export function undici(): Undici {
  const library: Undici = loaded ?? load('#undici');
  loaded = library;
  return library;
}
