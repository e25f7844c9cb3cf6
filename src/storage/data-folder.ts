// The data folder, which only its owner may look into.

import { mkdirSync } from 'node:fs';

export function makeDataFolder(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
}
