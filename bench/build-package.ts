// Builds the package, which is what administrators install.

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { rootFolder } from './start-service.ts';

/** Returns the folder of the package. */
export function buildPackage(): string {
  const cwd = rootFolder();
  execFileSync('npm', ['run', 'package'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  return join(cwd, 'dist', 'gastpass');
}
