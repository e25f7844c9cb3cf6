// `npm run test:repeat -- --times 5 --busy 1 [--script test]` runs an npm script several times in a row while other
// processes each keep a core busy. It prints the duration of each run and the output of failed runs, and exits with 1
// if a run failed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';

const { values } = parseArgs({
  options: {
    times: { type: 'string', default: '5' },
    busy: { type: 'string', default: '1' },
    script: { type: 'string', default: 'test' },
  },
});
const [times, busy] = [Number(values.times), Number(values.busy)];
if (!(times >= 1 && busy >= 0)) throw new Error('--times and --busy take whole numbers');

const loops = Array.from({ length: busy }, () =>
  spawn(process.execPath, ['-e', 'for (;;);'], { stdio: 'ignore' }),
);
process.once('exit', () => {
  for (const loop of loops) loop.kill('SIGKILL');
});
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));

console.log(`npm run ${values.script}, ${times} times, ${busy} of ${cpus().length} cores kept busy`);
let failures = 0;
for (let run = 1; run <= times; run++) {
  const startedAt = performance.now();
  const { code, output } = await runScript(values.script);
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const counts = [...output.matchAll(/^ℹ (?:pass|fail) \d+$/gm)].map(([line]) => line.slice(2)).join(', ');
  console.log(`${run}: ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s (${counts})`);
  if (code === 0) continue;
  failures += 1;
  console.log(output);
}
console.log(`${times - failures} passed, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);

async function runScript(script: string): Promise<{ code: number | null; output: string }> {
  const child = spawn('npm', ['run', script], { stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = await once(child, 'close');
  return { code, output };
}
