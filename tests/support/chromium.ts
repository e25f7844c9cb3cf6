// Finds and starts Chromium for tests: the browser at CHROME_PATH, the system's, or the one installed by Playwright.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium, type LaunchOptions } from 'playwright-core';

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

type Environment = Record<string, string | undefined>;

export async function launchChromium(more: Pick<LaunchOptions, 'ignoreDefaultArgs'> = {}): Promise<Browser> {
  const executablePath = findChromium(process.env);
  if (!executablePath) throw new Error('No Chromium found: install one, or set CHROME_PATH to it.');
  return chromium.launch({ executablePath, args: FLAGS, ...more });
}

/**
 * Returns undefined if there is no Chromium. A CHROME_PATH that does not exist is an error; no other browser is used.
 */
export function findChromium(environment: Environment): string | undefined {
  const { CHROME_PATH: chosen, PATH = '' } = environment;
  if (chosen && !existsSync(chosen)) throw new Error(`CHROME_PATH names ${chosen}, which is not there.`);
  const ofSystem = PATH.split(delimiter).flatMap((folder) => NAMES.map((name) => join(folder, name)));
  return chosen || [...ofSystem, chromium.executablePath()].find((path) => existsSync(path));
}
