// Sends GET requests over several connections at once and counts the responses. wrk is used if it is installed: it takes
// far less of the processor from the service than autocannon, which is the fallback.

import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

interface Load {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;
export const LOAD_GENERATOR = hasWrk ? 'wrk' : 'autocannon';

/** Responses per second; throws if one was not a success. */
export function responsesPerSecond(load: Load): Promise<number> {
  return hasWrk ? withWrk(load) : withAutocannon(load);
}

async function withWrk({ url, headers, connections, seconds }: Load): Promise<number> {
  const fields = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    ...fields,
    url,
  ]);
  const rate = /^Requests\/sec: *([\d.]+)$/m.exec(stdout)?.[1];
  if (!rate || /Non-2xx|Socket errors/.test(stdout)) throw new Error(stdout);
  return Number(rate);
}

async function withAutocannon({ url, headers, connections, seconds }: Load): Promise<number> {
  const result = await autocannon({ url, headers, connections, duration: seconds });
  if (result.non2xx + result.errors > 0) throw new Error(`${result.non2xx} refused, ${result.errors} failed`);
  return result.requests.total / result.duration;
}
