// A real Chromium for tests: the one that CHROME_PATH names, the system's, or Playwright's own. Where there is
// none, root on Debian gets Debian's; everybody else is told what to do. Tests are never left out for want of it.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const ADVICE = 'No Chromium found: install one (apt-get install chromium) or set CHROME_PATH to it.';

type Environment = Record<string, string | undefined>;

export async function launchChromium(): Promise<Browser> {
  const executablePath = findChromium(process.env) ?? installChromium();
  return chromium.launch({ executablePath, args: FLAGS });
}

/** Undefined when there is none. A CHROME_PATH that leads nowhere is a mistake, not a wish for another one. */
export function findChromium(environment: Environment): string | undefined {
  const { CHROME_PATH: chosen, PATH = '' } = environment;
  if (chosen && !existsSync(chosen)) throw new Error(`CHROME_PATH names ${chosen}, which is not there.`);
  const ofSystem = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return chosen || [...ofSystem, chromium.executablePath()].find((path) => existsSync(path));
}

/** Test files run side by side: the first one installs, the others wait for it. */
function installChromium(): string {
  if (!existsSync('/etc/debian_version') || process.getuid?.() !== 0) throw new Error(ADVICE);
  const install = 'apt-get install -y --no-install-recommends -o DPkg::Lock::Timeout=120 chromium';
  const script = `command -v chromium || ${install} || { apt-get update && ${install}; }`;
  const lock = join(tmpdir(), 'gastpass-installs-chromium');
  spawnSync('flock', [lock, 'sh', '-c', script], {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore',
  });
  const found = findChromium(process.env);
  if (!found) throw new Error(ADVICE);
  return found;
}
