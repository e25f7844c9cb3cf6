// The command that runs a simulated controller: its output, its errors, and its exit.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { test } from 'node:test';
import { Agent, request } from 'undici';
import { COMMAND_TOOLS } from '../../src/cli/command-tools.ts';
import { simulateController } from '../../src/kernel/controllers/simulate-controller-command.ts';
import { Arguments } from '../../src/platform/cli/command.ts';

const command = new URL('../../src/kernel/controllers/simulate-controller-command.ts', import.meta.url).href;
const argumentsFile = new URL('../../src/platform/cli/command.ts', import.meta.url).href;

/** Runs the command in its own process, as the command line would with these options. */
function start(values: Record<string, string | boolean>): ChildProcess {
  const program = `
    const { simulateController } = await import(${JSON.stringify(command)});
    const { Arguments } = await import(${JSON.stringify(argumentsFile)});
    await simulateController.run(new Arguments({ values: ${JSON.stringify(values)}, positionals: [] }));`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' });
  const end = () => child.kill('SIGKILL');
  process.once('exit', end);
  child.once('close', () => process.off('exit', end));
  return child;
}

async function firstLines(child: ChildProcess, until: RegExp): Promise<string> {
  let output = '';
  assert.ok(child.stdout);
  for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
    output += chunk;
    if (until.test(output)) break;
  }
  return output;
}

for (const signal of ['SIGTERM', 'SIGINT'] as const)
  test(`the command prints how to reach the controller, serves requests, and exits with 0 on ${signal}`, async () => {
    const child = start({ port: '0' });
    const output = await firstLines(child, /every start/);
    const find = (pattern: RegExp) => pattern.exec(output)?.[1] ?? assert.fail(output);
    const url = find(/Address +(https:\S+)/);
    const apiKey = find(/API key +(\S+)/);
    assert.match(find(/Fingerprint +(\S+)/), /^([0-9A-F]{2}:){31}[0-9A-F]{2}$/);
    assert.ok(output.includes(`--controller unifi --url ${url}`));
    assert.ok(output.includes(`--username '${find(/User +(\S+)/)}' --password '${find(/Password +(\S+)/)}'`));

    const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
    const { statusCode, body } = await request(`${url}/proxy/network/integration/v1/info`, {
      dispatcher,
      headers: { 'x-api-key': apiKey },
    });
    await body.dump();
    assert.equal(statusCode, 200);
    child.kill(signal);
    const [code] = await once(child, 'close');
    assert.equal(code, 0);
    await dispatcher.destroy();
  });

test('--json prints JSON; the classic server has no API key', async () => {
  const child = start({ port: '0', flavour: 'unifi-classic', json: true });
  const facts = JSON.parse(await firstLines(child, /\}\n$/));
  assert.equal(facts.flavour, 'unifi-classic');
  assert.ok(facts.url && facts.fingerprint256 && facts.username && facts.password && facts.certificatePem);
  assert.ok(!('apiKey' in facts));
  child.kill();
  await once(child, 'close');
});

test('wrong options and a port in use are refused in one line', async (t) => {
  const other = createServer().listen(0, '127.0.0.1');
  t.after(() => other.close());
  await once(other, 'listening');
  const address = other.address();
  const port = typeof address === 'object' && address ? String(address.port) : '';
  const cases: [Record<string, string>, RegExp][] = [
    [{}, /^--port is missing$/],
    [{ port: '70000' }, /^--port: expected a whole number from 0 to 65535$/],
    [{ port: '0', flavour: 'vanilla' }, /^--flavour: expected one of unifi-os, unifi-classic$/],
    [{ port: '0', 'latency-ms': 'slow' }, /^--latency-ms: expected a whole number/],
    [{ port }, new RegExp(`^port ${port} is taken`)],
  ];
  for (const [values, message] of cases)
    await assert.rejects(simulateController.run(new Arguments({ values, positionals: [] }), COMMAND_TOOLS), {
      message,
    });
});
