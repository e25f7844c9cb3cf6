#!/usr/bin/env node
// Starts the command line. Plain JavaScript, so that an old Node can at least say what is missing.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = 24;

// Names are looked up in half of these threads: a name server that hangs must not keep all of them.
process.env.UV_THREADPOOL_SIZE ??= '16';

if (Number(process.versions.node.split('.')[0]) < NEEDED) {
  console.error(
    `gastpass needs Node ${NEEDED} or newer, this is ${process.version}: start it by "npm start" or "npx gastpass", which bring their own.`,
  );
  process.exit(1);
}

// Keeps the stripped and compiled sources for the next start; where it cannot, nothing is lost.
nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gastpass', import.meta.url)));
await import('../src/main.ts');
