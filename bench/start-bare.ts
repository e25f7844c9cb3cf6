// Starts the bare server in a separate process.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { killAtExit } from './kill-at-exit.ts';

const program = fileURLToPath(new URL('bare-server.js', import.meta.url));

export interface BareServer {
  url: string;
  process: ChildProcess;
  /** From the start of the process to its first response. */
  startMs: number;
  stop(): Promise<void>;
}

/** Headers that node:http adds itself. */
const OF_NODE = ['date', 'connection', 'keep-alive'];

/** Returns a server that sends the same status, headers and body as `answer`. */
export async function startBareServer(response: Response, nodeOptions: string[] = []): Promise<BareServer> {
  const headers = [...response.headers].filter(([name]) => !OF_NODE.includes(name)).flat();
  const copy = JSON.stringify({ status: response.status, headers, body: await response.text() });
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...nodeOptions, program], { stdio: ['pipe', 'pipe', 'inherit'] });
  killAtExit(child);
  child.stdin.end(copy);
  const [line] = await once(child.stdout, 'data');
  const url = String(line).trim();
  const ended = once(child, 'exit');
  async function stop(): Promise<void> {
    child.kill();
    await ended;
  }
  await (await fetch(url)).arrayBuffer();
  return { url, process: child, startMs: performance.now() - startedAt, stop };
}
