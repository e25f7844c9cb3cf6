// `node tests/support/run-suites.ts [sqlite|postgres] [part of a path …]`: the tests on one engine or on one
// after the other, each pass with a PostgreSQL of its own. `npm test` runs it after `npm run check`.

import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { suitesThatRunOnce, suitesThatWait } from './engine-suites.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const CHECKED = 'tests/tidy';
const AT_ONCE = 2;

const once = Object.values(suitesThatRunOnce).flat();
for (const path of [...once, ...suitesThatWait])
  if (!existsSync(join(root, path))) fail(`engine-suites.ts names ${path}, which does not exist`);

/** Each file is a process of its own; what one has compiled the next need not. */
const compiled = mkdtempSync(join(tmpdir(), 'gastpass-compiled-'));
process.once('exit', () => rmSync(compiled, { recursive: true, force: true }));

const ENGINES = ['sqlite', 'postgres'];
const words = process.argv.slice(2);
const named = ENGINES.filter((engine) => words.includes(engine));
const parts = words.filter((word) => !ENGINES.includes(word));
for (const engine of named.length > 0 ? named : ENGINES) await runPass(engine);

async function runPass(engine: string): Promise<void> {
  const files = globSync('{src,tests}/**/*.test.ts', { cwd: root })
    .filter((file) => !isAmong(file, engine === 'postgres' ? once : [CHECKED]))
    .filter((file) => parts.length === 0 || parts.some((part) => file.includes(part)))
    .sort();
  if (files.length === 0) fail(`no test on ${engine} has ${parts.join(' or ')} in its path`);
  console.log(`${files.length} test files on ${engine}`);
  const waiting = files.filter((file) => isAmong(file, suitesThatWait));
  const busy = files.filter((file) => !waiting.includes(file));
  const beside = runFiles(engine, waiting, 1);
  const { code } = await runFiles(engine, busy, AT_ONCE, process.stdout);
  const { code: codeBeside, output } = await beside;
  process.stdout.write(output);
  if (code !== 0 || codeBeside !== 0) process.exit(code || codeBeside);
}

/** What they print goes to the stream as it comes, or is kept. */
function runFiles(engine: string, files: string[], atOnce: number, stream?: Writable) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    if (files.length === 0) return resolve({ code: 0, output: '' });
    const options = ['--test', '--test-reporter=spec', `--test-concurrency=${atOnce}`];
    const setup = '--test-global-setup=tests/support/start-postgres.ts';
    const child = spawn(process.execPath, [...options, setup, ...files], {
      cwd: root,
      env: { NODE_COMPILE_CACHE: compiled, ...process.env, TEST_ENGINE: engine },
      stdio: ['inherit', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      if (stream) stream.write(text);
      else output += text;
    });
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function isAmong(file: string, paths: string[]): boolean {
  return paths.some((path) => file === path || file.startsWith(`${path}/`));
}

function fail(text: string): never {
  console.error(text);
  process.exit(1);
}
