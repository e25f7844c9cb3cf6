// Tests that the installed command reads the settings file as systemd does: `npm run rel -- systemd --settings` records
// what a real systemd reads.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const hardLines = fileURLToPath(new URL('settings-file/hard-lines.env', import.meta.url));
const recorded = JSON.parse(readFileSync(new URL('settings-file/hard-lines.json', import.meta.url), 'utf8'));
const command = readFileSync(new URL('../../deploy/gastpass-command', import.meta.url), 'utf8');

/** The environment that the command passes on. */
function passedOn(file: string): Record<string, string> {
  const script = command
    .replace('[ "$(id -u)" = 0 ]', 'true')
    .replace('/etc/gastpass.env', file)
    .replace(/^exec .*$/m, 'exec env -0');
  const { stdout, stderr, status } = spawnSync('sh', ['-c', script], {
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  assert.deepEqual([status, stderr], [0, '']);
  const lines = stdout.split('\0').filter((line) => /^\w*x_/i.test(line));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

describe('the command reads the settings file as systemd does', () => {
  let read: Record<string, string>;
  before(() => {
    read = passedOn(hardLines);
  });
  for (const [name, value] of Object.entries(recorded.environment))
    test(name, () => assert.equal(read[name], value));

  test('and no other setting', () => {
    assert.deepEqual(Object.keys(read).sort(), Object.keys(recorded.environment).sort());
  });
});
