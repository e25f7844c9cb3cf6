// `bin/node tests/tidy/write-upward-imports.ts` writes the list of imports that still run upwards. It must only shrink.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './sources.ts';
import { upwardImports } from './storeys.ts';

writeFileSync(join(root, 'tests/tidy/upward-imports.txt'), `${upwardImports().join('\n')}\n`);
