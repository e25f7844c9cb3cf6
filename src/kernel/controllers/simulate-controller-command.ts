// `gastpass simulate-controller`: runs a simulated UniFi controller until SIGTERM or SIGINT, and prints how to reach
// it. It needs no installation and stores nothing.

import { once } from 'node:events';
import type { SimulatedConsole } from '../../../packages/unifi-console/src/index.ts';
import { FLAVOURS, type Flavour } from '../../../packages/unifi-console/src/options.ts';
import { type Arguments, type Command, CommandFailed, texts } from '../../platform/cli/command.ts';
import { print, printJson } from '../../platform/cli/print.ts';

const MAX_PORT = 65_535;
const MAX_LATENCY_MS = 600_000;

export const simulateController: Command = {
  name: 'simulate-controller',
  summary: 'Run a simulated UniFi controller to try Gastpass with, or to test a driver against.',
  usage: `--port P [--flavour ${FLAVOURS.join('|')}] [--latency-ms L]`,
  help: [
    'Serves both UniFi APIs over HTTPS on 127.0.0.1 and keeps everything in memory. Port 0 picks a free port.',
    'Runs until SIGTERM or SIGINT. GET /_simulator lists the requests that act as a guest and cause faults.',
  ].join('\n'),
  options: texts('port', 'flavour', 'latency-ms'),
  prints: true,
  async run(args) {
    args.required('port');
    const controller = await start({
      port: args.integer('port', MAX_PORT) ?? 0,
      flavour: args.choice('flavour', FLAVOURS) ?? 'unifi-os',
      latencyMs: args.integer('latency-ms', MAX_LATENCY_MS) ?? 0,
    });
    introduce(controller, args);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    await controller.stop();
  },
};

async function start(options: { port: number; flavour: Flavour; latencyMs: number }) {
  // Imported here because only this command needs the simulated controller.
  const { startSimulatedConsole } = await import('../../../packages/unifi-console/src/index.ts');
  try {
    return await startSimulatedConsole(options);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
      throw new CommandFailed(`port ${options.port} is taken: stop the other program or choose another`);
    throw error;
  }
}

function introduce(controller: SimulatedConsole, args: Arguments): void {
  const { url, flavour, fingerprint256, username, password, apiKey, certificatePem } = controller;
  const hasKey = flavour === 'unifi-os';
  const account = { username, password, ...(hasKey && { apiKey }) };
  if (args.has('json')) {
    printJson({ url, flavour, fingerprint256, ...account, certificatePem });
    return;
  }
  const lines = [
    '',
    `A simulated UniFi controller is running (${flavour}).`,
    '',
    `  Address      ${url}`,
    `  Fingerprint  ${fingerprint256}`,
    `  User         ${username}`,
    `  Password     ${password}`,
    ...(hasKey ? [`  API key      ${apiKey}`] : []),
    `  Control API  ${url}/_simulator`,
    '',
    'Add it as a site:',
    '',
    ...(hasKey ? addSite(controller, 'unifi', `--api-key '${apiKey}'`) : []),
    ...addSite(controller, 'unifi-classic', `--username '${username}' --password '${password}'`),
    'It keeps everything in memory; password, key and certificate are new at every start.',
  ];
  print(...lines, '');
}

function addSite({ url, fingerprint256 }: SimulatedConsole, kind: string, account: string): string[] {
  return [
    `  gastpass sites add --name 'Simulated' --controller ${kind} --url ${url} \\`,
    `    ${account} \\`,
    `    --fingerprint ${fingerprint256}`,
    '',
  ];
}
