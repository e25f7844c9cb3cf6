// The command that runs a simulated receipt printer: its output, its files, its errors, and its exit.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { COMMAND_TOOLS } from '../../src/cli/command-tools.ts';
import { simulatePrinter } from '../../src/features/printers/simulate-printer-command.ts';
import { Arguments } from '../../src/platform/cli/command.ts';
import { makeFolder } from '../support/run-gastpass.ts';

const { folder, remove } = makeFolder();
after(remove);
const gastpass = new URL('../../bin/gastpass.js', import.meta.url).pathname;

function start(t: TestContext, ...words: string[]): ChildProcess {
  const child = spawn(process.execPath, [gastpass, 'simulate-printer', ...words], { stdio: 'pipe' });
  t.after(() => child.kill('SIGKILL'));
  return child;
}

async function outputUntil(child: ChildProcess, pattern: RegExp): Promise<RegExpExecArray> {
  let output = '';
  assert.ok(child.stdout);
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    const found = pattern.exec(output);
    if (found) return found;
  }
  return assert.fail(output);
}

test('it listens, writes a file and a line for each slip, and exits with 0 on SIGINT', async (t) => {
  const out = join(folder, 'slips');
  const child = start(t, '--kind', 'escpos', '--port', '0', '--out', out, '--paper', '58');
  const [, port] = await outputUntil(child, /\(escpos\) listens on 127\.0\.0\.1:(\d+)\n/);
  // One row of 8 dots, a cut, and an unknown command.
  connect(Number(port), '127.0.0.1').end(Buffer.from('1d76300001000100ff1d56001b21', 'hex'));
  await outputUntil(child, /slip 1: 384 × 1 dots, cut, .*slip-0001\.png\nunknown command: 1b21\n/);
  assert.deepEqual(readdirSync(out), ['slip-0001.png']);
  child.kill('SIGINT');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('it polls with the faults that were given; --json prints objects; SIGTERM ends it', async (t) => {
  const words = ['--kind', 'cloudprnt', '--url', 'http://127.0.0.1:1/p', '--out', folder, '--json'];
  const child = start(t, ...words, '--fault', 'slow=9', '--fault', 'asks-twice');
  const [output] = await outputUntil(child, /^\{.*\n\{.*\n/);
  assert.deepEqual(
    output
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
    [{ kind: 'cloudprnt', url: 'http://127.0.0.1:1/p' }, { event: 'no response: ECONNREFUSED' }],
  );
  child.kill('SIGTERM');
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('missing and wrong options are refused in one line', async () => {
  const url = 'http://127.0.0.1:1/';
  const cases: [Record<string, string | string[]>, RegExp][] = [
    [{ kind: 'escpos', port: '0' }, /^--out is missing$/],
    [{ out: folder }, /^--kind is missing$/],
    [{ out: folder, kind: 'laser' }, /^--kind: expected one of escpos, cloudprnt, epson$/],
    [{ out: folder, kind: 'escpos' }, /^--port is missing$/],
    [{ out: folder, kind: 'escpos', url }, /^--url: printers of the kind escpos have a --port instead$/],
    [{ out: folder, kind: 'epson' }, /^--url is missing$/],
    [{ out: folder, kind: 'epson', url, port: '1' }, /^--port: only printers of the kind escpos have one$/],
    [{ out: folder, kind: 'epson', url: 'ftp://x' }, /^--url: expected an http or https address$/],
    [{ out: folder, kind: 'epson', url, paper: '70' }, /^--paper: expected one of 58, 80$/],
    [{ out: folder, kind: 'epson', url, fault: ['smoke'] }, /^--fault: there is no fault smoke$/],
    [
      { out: folder, kind: 'epson', url, fault: ['silent'] },
      /^--fault: printers of the kind epson do not have/,
    ],
    [{ out: folder, kind: 'epson', url, fault: ['slow=much'] }, /^--fault: the fault slow needs a number/],
    [{ out: join(gastpass, 'slips'), kind: 'epson', url }, /^ENOTDIR: .*\/slips/],
  ];
  for (const [values, message] of cases)
    await assert.rejects(simulatePrinter.run(new Arguments({ values, positionals: [] }), COMMAND_TOOLS), {
      message,
    });
});
