// Runs a group of everyday test files in one process, as `npm test` does, in a copy of the tree. Stops at the first
// failure.

import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './copied-tree.ts';

/** Shorter than in `npm test`: with some mutants, a test waits for something that never happens. */
const TEST_TIMEOUT_MS = 60_000;
/** Ends a process that a mutant keeps in an endless loop: there, the time-out of a test cannot fire. */
const FILE_TIMEOUT_MS = 120_000;

export interface Failure {
  /** Undefined if the process failed or hung outside of a test. */
  file?: string;
  name: string;
}

interface Options {
  engine: 'sqlite' | 'postgres';
  /** Set while it is recorded what the tests execute: no failure stops the group. */
  reachFolder?: string;
}

const running = new Set<number | undefined>();
process.once('exit', () => running.forEach(stop));

export function runGroup(tree: string, files: string[], options: Options): Promise<Failure | undefined> {
  const scratch = mkdtempSync(join(tree, '.cache', 'run-'));
  const group = join(scratch, 'group.test.mjs');
  const { engine, reachFolder } = options;
  writeFileSync(group, writeGroup(tree, files, reachFolder !== undefined));
  const temporary = join(scratch, 'tmp');
  mkdirSync(temporary);
  const reporter = new URL('first-failure.ts', import.meta.url).href;
  const child = spawn(
    join(root, 'bin/node'),
    [`--test-reporter=${reporter}`, `--test-timeout=${TEST_TIMEOUT_MS}`, group],
    {
      cwd: tree,
      detached: true,
      env: {
        ...process.env,
        // Code from the compile cache has no coverage of blocks.
        ...(!reachFolder && { NODE_COMPILE_CACHE: join(tree, '.cache', 'compiled') }),
        NODE_OPTIONS: `--import=${pathToFileURL(join(tree, 'tests/support/cheap-passwords.ts'))}`,
        TMPDIR: temporary,
        TEST_ENGINE: engine,
        ...(reachFolder && { MUTANTS_REACH: reachFolder, MUTANTS_GROUP: `group ${files[0]}` }),
      },
      stdio: ['ignore', 'pipe', 'ignore'],
    },
  );
  running.add(child.pid);
  return new Promise((resolve) => {
    let failure: Failure | undefined;
    const fail = (found: Failure) => {
      failure ??= found;
      if (!reachFolder) stop(child.pid);
    };
    const timer = setTimeout(() => fail({ name: 'hangs' }), FILE_TIMEOUT_MS * files.length);
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      const line = output.split('\n').find((each) => each.startsWith('{"name"'));
      if (line?.endsWith('}')) fail(readFailure(tree, line));
    });
    child.once('close', (code) => {
      clearTimeout(timer);
      stop(child.pid);
      running.delete(child.pid);
      rmSync(scratch, { recursive: true, force: true });
      resolve(failure ?? (code === 0 ? undefined : { name: `exit ${code}` }));
    });
  });
}

function writeGroup(tree: string, files: string[], isRecorded: boolean): string {
  const notes = new URL('note-reach.ts', import.meta.url).href;
  const imports = isRecorded ? `import { beginFile } from '${notes}';\n` : '';
  const suites = files.map((file) => {
    const begin = isRecorded ? `before(() => beginFile(${JSON.stringify(file)}));` : '';
    const url = pathToFileURL(join(tree, file)).href;
    return `describe(${JSON.stringify(file)}, () => { ${begin} return import(${JSON.stringify(url)}); });\n`;
  });
  return `import { before, describe } from 'node:test';\n${imports}${suites.join('')}`;
}

function readFailure(tree: string, line: string): Failure {
  const { name, file }: { name: string; file?: string } = JSON.parse(line);
  return { name, ...(file?.startsWith(tree) && { file: relative(tree, file) }) };
}

/** Kills the process group, to which the commands belong that tests have started. */
function stop(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All processes of the group have ended.
  }
}
