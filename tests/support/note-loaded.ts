// Loaded into a process of Gastpass with --import: writes what the process has loaded to the file that NOTE_LOADED_TO
// names, when the process ends.

import { writeFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const files: string[] = [];

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) files.push(relative(root, fileURLToPath(url)));
    return next(url, context);
  },
});

// Node does not document this list of its own modules, and has had it for ten years.
const builtins: unknown = Reflect.get(process, 'moduleLoadList');

process.on('exit', () => {
  const text = JSON.stringify({ files, builtins });
  writeFileSync(process.env.NOTE_LOADED_TO ?? '', text);
});
