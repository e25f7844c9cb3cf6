// Sends the same request over several connections and counts the responses. wrk is used if it is installed: it takes far
// less of the processor from the service than autocannon, which is the fallback.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { cpuMs } from './processor-time.ts';

export interface Load {
  url: string;
  headers: Record<string, string>;
  /** Sent with POST; without it, the request is a GET. */
  body?: string;
  connections: number;
  seconds: number;
  /** The measured process. */
  pid?: number | undefined;
  /** Whether the responses are refusals. */
  isRefused?: boolean;
}

export interface Measured {
  perS: number;
  p99Ms: number;
  /** Processor time of the measured process for one response. */
  cpuUs: number;
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon';

/** Throws if a response is not of the expected kind. */
export async function measureLoad(load: Load): Promise<Measured> {
  const before = load.pid === undefined ? 0 : cpuMs(load.pid);
  const { total, ...measured } = await (hasWrk ? withWrk(load) : withAutocannon(load));
  const usedMs = load.pid === undefined ? 0 : cpuMs(load.pid) - before;
  return { ...measured, cpuUs: (usedMs * 1000) / total };
}

async function withWrk({ url, headers, body, connections, seconds, isRefused }: Load) {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-wrk-'));
  const script = join(folder, 'request.lua');
  const fields = Object.entries(headers).map(
    ([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`,
  );
  const post = body === undefined ? [] : [`wrk.method = "POST"`, `wrk.body = ${quoted(body)}`];
  writeFileSync(script, [...fields, ...post].join('\n'));
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--latency', '-s', script, url];
  const { stdout } = await promisify(execFile)('wrk', options);
  rmSync(folder, { recursive: true });
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1]);
  const [, p99 = '', unit = ''] = /^ +99% +([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  const total = number(/^ +(\d+) requests in/m);
  const refused = number(/Non-2xx or 3xx responses: (\d+)/) || 0;
  if (!total || /Socket errors/.test(stdout) || refused !== (isRefused ? total : 0)) throw new Error(stdout);
  const perMs = { us: 1_000, ms: 1, s: 0.001 }[unit] ?? Number.NaN;
  return { total, perS: number(/^Requests\/sec: *([\d.]+)$/m), p99Ms: Number(p99) / perMs };
}

/** A Lua string. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

async function withAutocannon({ url, headers, body, connections, seconds, isRefused }: Load) {
  const request = body === undefined ? {} : { method: 'POST' as const, body };
  const result = await autocannon({ url, headers, ...request, connections, duration: seconds });
  const { total } = result.requests;
  const refused = result['4xx'] + result['5xx'];
  if (result.errors > 0 || refused !== (isRefused ? total : 0))
    throw new Error(`${url}: ${refused} refused, ${result.errors} failed`);
  return { total, perS: total / result.duration, p99Ms: result.latency.p99 };
}
