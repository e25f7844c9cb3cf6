// Starts the command line; bin/gastpass runs it with the right Node. Plain JavaScript, so that an older Node can
// still say what is missing.
import * as nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const MIN_NODE = 24;

// Names are looked up in half of these threads: a name server that hangs must not keep all of them.
process.env.UV_THREADPOOL_SIZE ??= '16';

if (Number(process.versions.node.split('.')[0]) < MIN_NODE) {
  console.error(
    `gastpass needs Node ${MIN_NODE} or newer, this is ${process.version}: use bin/gastpass, which finds the Node installed with the packages.`,
  );
  process.exit(1);
}

// Keeps the stripped and compiled sources for the next start; where it cannot, nothing is lost.
nodeModule.enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/gastpass', import.meta.url)));
try {
  import.meta.resolve('kysely');
} catch {
  console.error('gastpass: packages are missing: run "npm ci" (or "npm ci --omit=dev") first.');
  process.exit(1);
}
await import('../src/main.ts');
