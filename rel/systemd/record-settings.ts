// Records how systemd reads a settings file of hard lines. A test compares the command of deploy/ with the record.
// Called by `npm run rel -- systemd`, with what the systemd of the emulated machine read, and with --settings, which
// needs only root and an installed systemd.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const inTests = (name: string) =>
  fileURLToPath(new URL(`../../tests/cli/settings-file/${name}`, import.meta.url));

export const HARD_LINES = inTests('hard-lines.env');

export function recordSettings(): void {
  const script = fileURLToPath(new URL('read-settings.sh', import.meta.url));
  const environment = execFileSync('sh', [script, HARD_LINES], { env: { PATH: process.env.PATH } });
  const version = execFileSync('systemctl', ['--version'], { encoding: 'utf8' });
  writeRecord(environment, version);
}

/** @param environment as `env -0` prints it */
export function writeRecord(environment: Buffer, version: string): void {
  const read = environment
    .toString()
    .split('\0')
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const)
    // systemd sets further variables.
    .filter(([name]) => /x_/i.test(name))
    .sort(([one], [other]) => (one < other ? -1 : 1));
  const systemd = /\d+/.exec(version)?.[0];
  const record = { systemd, environment: Object.fromEntries(read) };
  writeFileSync(inTests('hard-lines.json'), `${JSON.stringify(record, null, 2)}\n`);
  console.log(`recorded ${read.length} settings as systemd ${systemd} read them: see git diff`);
}
