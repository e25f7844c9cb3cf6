// Starts the bare server in a separate process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('bare-server.js', import.meta.url));

export interface BareServer {
  url: string;
  process: ChildProcess;
  /** From the start of the process to its first response. */
  startMs: number;
  stop(): void;
}

export async function startBareServer(status: number, body: string): Promise<BareServer> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, [program, String(status)], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.stdin.end(body);
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  await (await fetch(url)).arrayBuffer();
  return { url, process: child, startMs: performance.now() - startedAt, stop: () => child.kill() };
}
