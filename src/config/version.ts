// The version of this release, as package.json has it.

import { readFileSync } from 'node:fs';

export const VERSION: string = JSON.parse(
  readFileSync(new URL(import.meta.resolve('#package')), 'utf8'),
).version;
