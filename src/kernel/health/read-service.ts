// Reads whether the service runs: who holds the lock on its data folder, and what answers on its port.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import * as v from 'valibot';
import type { Config } from '../../platform/config/config.ts';
import { VERSION } from '../../platform/config/version.ts';
import { isServed } from '../../platform/database/service-lock.ts';
import { errorCodeOf } from '../../platform/values/file-error.ts';
import type { PortResponse, ServiceFacts } from './judge-service.ts';

const PATIENCE_MS = 3_000;
/** While the database is busy, /readyz may take several seconds to answer. */
const READINESS_PATIENCE_MS = 10_000;
const MAX_RESPONSE_LENGTH = 10_000;
const NOTHING_THERE = /^(ECONNREFUSED|ENOTFOUND|EAI_|EADDRNOTAVAIL|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/;
const HEALTH = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ status: v.literal('ok'), version: v.optional(v.string()) }),
);
const READINESS = v.pipe(v.string(), v.parseJson(), v.object({ obstacles: v.array(v.string()) }));

export async function readService({ host, port, dataDir, database }: Config): Promise<ServiceFacts> {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return {
    response: port === 0 ? { from: 'not-asked' } : await askService(reachable, port),
    url: `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`,
    port,
    dataDir,
    isFolderServed: isServed(dataDir),
    isOnPostgres: database !== undefined,
    installed: VERSION,
  };
}

async function askService(host: string, port: number): Promise<PortResponse> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const health = v.safeParse(HEALTH, await askFor('/healthz', { host, port, signal }));
    if (!health.success) return { from: 'another program' };
    return { from: 'gastpass', version: health.output.version, obstacles: await askObstacles(host, port) };
  } catch (error) {
    if (signal.aborted) return { from: 'silence' };
    return { from: NOTHING_THERE.test(errorCodeOf(error) ?? '') ? 'nothing' : 'another program' };
  }
}

async function askObstacles(host: string, port: number): Promise<string[]> {
  try {
    const signal = AbortSignal.timeout(READINESS_PATIENCE_MS);
    const readiness = v.safeParse(READINESS, await askFor('/readyz', { host, port, signal }));
    return readiness.success ? readiness.output.obstacles : [];
  } catch {
    return ['it does not answer /readyz'];
  }
}

/** The body of the response, whatever its status. */
async function askFor(
  path: string,
  to: { host: string; port: number; signal: AbortSignal },
): Promise<string> {
  const request = get({ ...to, path, agent: false });
  request.on('error', () => {});
  try {
    const [response]: IncomingMessage[] = await once(request, 'response');
    let text = '';
    for await (const chunk of response?.setEncoding('utf8') ?? []) {
      text += chunk;
      if (text.length > MAX_RESPONSE_LENGTH) break;
    }
    return text;
  } finally {
    request.destroy();
  }
}
