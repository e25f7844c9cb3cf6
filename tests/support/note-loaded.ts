// Loaded into a process of Gastpass with --import: writes what the process has loaded to the file that NOTE_LOADED_TO
// names, when the process ends and at each SIGUSR2.

import { renameSync, writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';

const root = fileURLToPath(new URL('../../', import.meta.url));
const to = process.env.NOTE_LOADED_TO ?? '';
const files: string[] = [];

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files.push(relative(root, fileURLToPath(url)));
    return next(url, context);
  },
});

// Node does not document this list of its own modules, and has had it for ten years.
const builtins: unknown = Reflect.get(process, 'moduleLoadList');

function write(): void {
  // Renamed, so that a test never reads half a file.
  writeFileSync(`${to}.new`, JSON.stringify({ files, builtins }));
  renameSync(`${to}.new`, to);
}

// Worker threads run this file too.
if (isMainThread) {
  process.on('exit', write);
  process.on('SIGUSR2', write);
}
