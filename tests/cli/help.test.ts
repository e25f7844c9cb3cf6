// Tests the help of the command line: every command prints its usage, and nothing else happens.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { loadCommands } from '../../src/cli/commands.ts';
import { type Ended, makeFolder, runGastpass } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
const dataDir = join(folder, 'data');
after(remove);

const commands = await loadCommands();

function assertHelped({ code, stdout, stderr }: Ended): void {
  assert.equal(stderr, '');
  assert.equal(code, 0);
  assert.match(stdout, /^Usage: gastpass /);
}

describe('every command has a help text', { concurrency: 4 }, () => {
  for (const { name, summary, prints = false } of commands)
    test(`${name} --help prints the usage and does nothing else`, async () => {
      const ended = await runGastpass([...name.split(' '), '--help'], { dataDir });
      assertHelped(ended);
      assert.ok(ended.stdout.startsWith(`Usage: gastpass ${name}`), ended.stdout);
      assert.ok(ended.stdout.includes(summary), ended.stdout);
      assert.equal(ended.stdout.includes('[--json]'), prints);
      assert.equal(existsSync(dataDir), false);
    });
});

describe('the overview', { concurrency: 4 }, () => {
  let overview: string;
  before(async () => {
    const ended = await runGastpass(['--help'], { dataDir });
    assertHelped(ended);
    overview = ended.stdout;
  });

  test('the overview lists every command with its summary', () => {
    for (const { name, summary } of commands)
      assert.ok(
        overview
          .split('\n')
          .some((line) => line.trimStart().startsWith(`${name} `) && line.endsWith(summary)),
        name,
      );
  });

  test('the overview is also shown without arguments and for "help"', async () => {
    for (const words of [[], ['help']]) {
      const ended = await runGastpass(words, { dataDir });
      assertHelped(ended);
      assert.equal(ended.stdout, overview);
    }
  });

  test('a group of commands has its own overview', async () => {
    const ended = await runGastpass(['keys', '--help'], { dataDir });
    assertHelped(ended);
    assert.match(ended.stdout, /keys revoke/);
    assert.doesNotMatch(ended.stdout, /sites add/);
  });

  test('version and --version print only the version', async () => {
    for (const word of ['version', '--version']) {
      const ended = await runGastpass([word], { dataDir });
      assert.equal(ended.code, 0);
      assert.match(ended.stdout, /^\d+\.\d+\.\d+\n$/);
    }
  });

  test('help needs no valid configuration', async () => {
    assertHelped(await runGastpass(['keys', 'create', '--help'], { environment: { PORT: 'abc' } }));
  });
});
