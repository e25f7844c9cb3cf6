// Creates the data folder with access for its owner only. The permissions of an existing folder do not change.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { errorCodeOf, sayFileCode } from '../values/file-error.ts';
import { WrongConfiguration } from '../values/wrong-configuration.ts';

export function makeDataFolder(dataDir: string): void {
  try {
    makeFolders(dataDir);
  } catch (error) {
    const why = sayFileCode(errorCodeOf(error) ?? String(error));
    throw new WrongConfiguration(`DATA_DIR: ${dataDir} cannot be made or used ${why}`);
  }
}

/** Creates one folder at a time: where folders cannot be created, as in /proc, recursive `mkdirSync` never returns. */
function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another instance may have created the folder in the meantime.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
