// The data folder, which only its owner may look into.

import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { WrongConfiguration } from '../domain/wrong-configuration.ts';

export function makeDataFolder(dataDir: string): void {
  try {
    makeFolders(dataDir);
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : String(error);
    throw new WrongConfiguration(`DATA_DIR: ${dataDir} cannot be made or used (${why})`);
  }
}

/** Step by step: where folders cannot be made at all, as in /proc, Node's own way to make several never ends. */
function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  if (dirname(path) !== path) makeFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another instance may have been faster.
    if (!statSync(path, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
