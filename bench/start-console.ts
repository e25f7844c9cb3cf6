// Starts the simulated UniFi console in a separate process, and adds it to a running service as a site.

import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Kind } from './bare-upstream.ts';
import { killAtExit } from './kill-at-exit.ts';
import type { RunningService } from './start-service.ts';

const program = fileURLToPath(new URL('../bin/gastpass.js', import.meta.url));

export interface ConsoleConnection {
  url: string;
  fingerprint256: string;
  username: string;
  password: string;
  apiKey: string;
}

export interface RunningConsole {
  connection: ConsoleConnection;
  stop(): Promise<void>;
}

export async function startConsoleProcess(latencyMs = 0): Promise<RunningConsole> {
  const words = ['simulate-controller', '--port', '0', '--latency-ms', String(latencyMs), '--json'];
  const child = spawn(process.execPath, [program, ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  killAtExit(child);
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  const connection = await new Promise<ConsoleConnection>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the console ended with ${code}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk;
      if (output.endsWith('}\n')) resolve(JSON.parse(output));
    });
  });

  return {
    connection,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Returns the id of the new site. */
export function addSite(service: RunningService, kind: Kind, connection: ConsoleConnection): number {
  const { url, fingerprint256, username, password, apiKey } = connection;
  const account = kind === 'unifi' ? ['--api-key', apiKey] : ['--username', username, '--password', password];
  const where = ['--url', url, '--fingerprint', fingerprint256, ...account];
  return Number(service.run(['sites', 'add', '--name', 'Haus A', '--controller', kind, ...where]));
}
