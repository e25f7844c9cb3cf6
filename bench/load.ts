// Sends requests in turn over several connections and counts the responses. wrk is used if it is installed: it takes
// far less of the processor from the service than autocannon, which is the fallback.

import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';
import { cpuMs } from './processor-time.ts';

export interface Request {
  path: string;
  headers: Record<string, string>;
  /** Sent with POST; without it, the request is a GET. */
  body?: string;
}

export interface Load {
  url: string;
  requests: Request[];
  connections: number;
  seconds: number;
  /** The measured process. */
  pid: number | undefined;
  /** The processor time that another process, such as a database server, has used so far. It counts as well. */
  alsoMs?: () => number;
  /** Whether the responses are refusals. */
  isRefused?: boolean;
}

/** A load, and a function that stops the services that were started for it. */
export interface StartedLoad {
  load: Omit<Load, 'seconds'>;
  stop(): Promise<void>;
}

export interface Measured {
  perS: number;
  p99Ms: number;
  /** Processor time for one response. */
  cpuUs: number;
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon';

/** Throws if a response is not of the expected kind. */
export async function measureLoad(load: Load): Promise<Measured> {
  const usedMs = () => cpuMs(load.pid) + (load.alsoMs?.() ?? 0);
  const before = usedMs();
  const { total, refused, failed, ...measured } = await (hasWrk ? withWrk(load) : withAutocannon(load));
  if (total === 0 || failed > 0 || refused !== (load.isRefused ? total : 0))
    throw new Error(`${load.url}: of ${total} requests ${refused} were refused and ${failed} failed`);
  return { ...measured, cpuUs: ((usedMs() - before) * 1000) / total };
}

async function withWrk({ url, requests, connections, seconds }: Load) {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-wrk-'));
  const script = join(folder, 'requests.lua');
  writeFileSync(script, luaOf(requests));
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '--latency', '-s', script];
  const { stdout } = await promisify(execFile)('wrk', [...options, url]);
  rmSync(folder, { recursive: true });
  const number = (pattern: RegExp) => Number(pattern.exec(stdout)?.[1] ?? 0);
  const [, p99 = '', unit = ''] = /^ +99% +([\d.]+)(us|ms|s)$/m.exec(stdout) ?? [];
  const perMs = { us: 1_000, ms: 1, s: 0.001 }[unit] ?? Number.NaN;
  return {
    total: number(/^ +(\d+) requests in/m),
    refused: number(/Non-2xx or 3xx responses: (\d+)/),
    failed: /Socket errors/.test(stdout) ? 1 : 0,
    perS: number(/^Requests\/sec: *([\d.]+)$/m),
    p99Ms: Number(p99) / perMs,
  };
}

/** A script for wrk that prepares all requests and sends them in turn. */
function luaOf(requests: Request[]): string {
  const prepared = requests.map(({ path, headers, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[${quoted(name)}]=${quoted(value)}`);
    const method = body === undefined ? 'GET' : 'POST';
    return `all[#all + 1] = wrk.format("${method}", ${quoted(path)}, {${fields}}, ${body === undefined ? 'nil' : quoted(body)})`;
  });
  const next = 'request = function() at = at % #all + 1; return all[at] end';
  return ['local all, at = {}, 0', `init = function()`, ...prepared, 'end', next].join('\n');
}

/** A Lua string. */
function quoted(text: string): string {
  return JSON.stringify(text);
}

async function withAutocannon({ url, requests, connections, seconds }: Load) {
  const result = await autocannon({
    url,
    requests: requests.map(({ path, headers, body }) => ({
      path,
      headers,
      ...(body !== undefined && { method: 'POST', body }),
    })),
    connections,
    duration: seconds,
  });
  const { total } = result.requests;
  return {
    total,
    refused: result['4xx'] + result['5xx'],
    failed: result.errors,
    perS: total / result.duration,
    p99Ms: result.latency.p99,
  };
}
