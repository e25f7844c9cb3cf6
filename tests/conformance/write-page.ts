// Writes docs/conformance.md anew: bin/node tests/conformance/write-page.ts

import { writeFileSync } from 'node:fs';
import { makePage } from './page.ts';

writeFileSync(new URL('../../docs/conformance.md', import.meta.url), makePage());
