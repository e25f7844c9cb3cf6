// `npm run check` runs the linter, the compiler and the tests of the code's tidiness side by side: the compiler uses
// one core only. Each output is written in one piece. Fails if one of them fails.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** The longest comes first. */
const CHECKS: Record<string, string[]> = {
  typecheck: ['npm', 'run', '--silent', 'typecheck'],
  lint: ['npm', 'run', '--silent', 'lint'],
  tidy: [process.execPath, '--test', '--test-reporter=spec', 'tests/tidy/**/*.test.ts'],
};

function run([command = '', ...words]: string[]) {
  return new Promise<{ code: number; output: string }>((resolve, reject) => {
    const child = spawn(command, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

const failed = await Promise.all(
  Object.entries(CHECKS).map(async ([name, words]) => {
    const { code, output } = await run(words);
    process.stdout.write(`${name}\n${output}`);
    return code === 0 ? [] : [name];
  }),
);
if (failed.flat().length > 0) {
  console.error(`failed: ${failed.flat().join(', ')}`);
  process.exitCode = 1;
}
