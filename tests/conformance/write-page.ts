// Writes the README of this folder anew: bin/node tests/conformance/write-page.ts

import { writeFileSync } from 'node:fs';
import { makePage } from './page.ts';

writeFileSync(new URL('README.md', import.meta.url), makePage());
