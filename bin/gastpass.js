// Starts the command line; bin/gastpass runs it with the right Node. Plain JavaScript, so that an older Node can
// still say what is missing.
import { existsSync, readFileSync } from 'node:fs';
import * as nodeModule from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

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
const cache = fileURLToPath(new URL('../node_modules/.cache/gastpass', import.meta.url));
nodeModule.enableCompileCache(cache);

const kysely = findKysely();
const packed = join(cache, `kysely-${kysely.version}.mjs`);
const isPacked = existsSync(packed) || (await packKysely());
nodeModule.registerHooks({
  resolve(name, context, next) {
    if (name === 'kysely' && isPacked) return { url: pathToFileURL(packed).href, shortCircuit: true };
    // Our own imports name the file: Node need not look for it. Saves a fifth of the time to start.
    if (name.startsWith('.') && name.endsWith('.ts'))
      return { url: new URL(name, context.parentURL).href, format: 'module-typescript', shortCircuit: true };
    return next(name, context);
  },
});
await import('../src/main.ts');

async function packKysely() {
  try {
    const { writePackedKysely } = await import('./pack-kysely.ts');
    writePackedKysely(kysely.main, packed);
    return true;
  } catch {
    // The folder cannot be written: Kysely is loaded from its 250 files.
    return false;
  }
}

function findKysely() {
  try {
    const main = fileURLToPath(import.meta.resolve('kysely'));
    return { main, version: JSON.parse(readFileSync(join(main, '../../package.json'), 'utf8')).version };
  } catch {
    console.error('gastpass: packages are missing: run "npm ci" (or "npm ci --omit=dev") first.');
    process.exit(1);
  }
}
