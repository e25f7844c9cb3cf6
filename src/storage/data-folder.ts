// The data folder, which only its owner may look into.

import { mkdirSync } from 'node:fs';
import { WrongConfiguration } from '../domain/wrong-configuration.ts';

export function makeDataFolder(dataDir: string): void {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : String(error);
    throw new WrongConfiguration(`DATA_DIR: ${dataDir} cannot be made or used (${why})`);
  }
}
