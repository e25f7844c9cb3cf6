// Examines whether the service runs: on SQLite by the lock on its data folder, and by what answers on its port.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import * as v from 'valibot';
import type { Config } from '../../config/config.ts';
import { VERSION } from '../../config/version.ts';
import type { Finding } from '../../domain/health/finding.ts';
import { STORAGE_ERROR_REASONS, sayStorageError } from '../../domain/health/storage-errors.ts';
import type { OtherAnswer, TerminalFact } from '../../domain/health/terminal-fact.ts';
import { toOneLine } from '../../domain/one-line.ts';
import { isServed } from '../../storage/service-lock.ts';
import { fault, ok, warning } from './finding.ts';

const PATIENCE_MS = 3_000;
/** With a busy database, the probes of the service take seconds. */
const READINESS_PATIENCE_MS = 10_000;
const MAX_ANSWER_LENGTH = 10_000;
const HEALTH = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ status: v.literal('ok'), version: v.optional(v.string()) }),
);
const READINESS = v.pipe(v.string(), v.parseJson(), v.object({ obstacles: v.array(v.string()) }));
/** Obstacles that end by themselves. */
const PASSING = ['starting', 'shutting down'];

/** What was found on the port. `not-asked`: the port is 0, so it is not known which one the service took. */
type Answer =
  | { from: 'gastpass'; version: string | undefined; obstacles: string[] }
  | { from: OtherAnswer | 'silence' | 'not-asked' };

type ServiceFinding = Finding<TerminalFact>;

export async function examineService({ host, port, dataDir, database }: Config): Promise<ServiceFinding> {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const answer: Answer = port === 0 ? { from: 'not-asked' } : await askService(reachable, port);
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const isFolderServed = isServed(dataDir);
  if (!database) return isFolderServed ? judgeRunning(answer, url) : judgeStopped(answer, url);
  // A service on PostgreSQL does not lock the data folder, so whoever holds the lock uses SQLite.
  if (isFolderServed) return fault({ kind: 'service-of-sqlite', folder: dataDir });
  return judgeInstance(answer, url, port);
}

/** Several instances can share a PostgreSQL database, so only the port tells whether this instance runs. */
function judgeInstance(answer: Answer, url: string, port: number): ServiceFinding {
  switch (answer.from) {
    case 'gastpass':
      return judgeAnswer(answer, url);
    case 'not-asked':
      return ok({ kind: 'service-not-asked' });
    case 'silence':
      return fault({ kind: 'service-silent', url });
    case 'another program':
    case 'nothing':
      return fault({ kind: 'instance-away', url, port, answer: answer.from });
  }
}

/** Only one service can use a data folder, and it holds the lock while it runs. */
function judgeRunning(answer: Answer, url: string): ServiceFinding {
  switch (answer.from) {
    case 'gastpass':
      return judgeAnswer(answer, url);
    case 'not-asked':
      return ok({ kind: 'service-on-free-port' });
    case 'silence':
      return fault({ kind: 'service-silent', url });
    case 'another program':
    case 'nothing':
      return warning({ kind: 'service-elsewhere', url, answer: answer.from });
  }
}

function judgeStopped(answer: Answer, url: string): ServiceFinding {
  switch (answer.from) {
    case 'gastpass':
      return fault({ kind: 'service-of-other-folder', url });
    case 'silence':
    case 'another program':
      return fault({ kind: 'service-stopped-port-taken', url });
    case 'nothing':
    case 'not-asked':
      return fault({ kind: 'service-stopped' });
  }
}

/** The service reports its own failed writes: a write of this process may succeed at the same time. */
function judgeAnswer(
  { version, obstacles }: { version: string | undefined; obstacles: string[] },
  url: string,
): ServiceFinding {
  if (obstacles.length > 0) return judgeObstacles(obstacles, url);
  return version === VERSION
    ? ok({ kind: 'service-running', url, version })
    : warning({ kind: 'service-outdated', url, version, installed: VERSION });
}

function judgeObstacles(obstacles: string[], url: string): ServiceFinding {
  const isPassing = obstacles.every((obstacle) => PASSING.includes(obstacle));
  const reason = STORAGE_ERROR_REASONS.find((each) =>
    obstacles.some((obstacle) => obstacle.endsWith(`: ${sayStorageError(each)}`)),
  );
  return (isPassing ? warning : fault)({
    kind: 'service-not-ready',
    url,
    obstacles: toOneLine(obstacles.join(', ')),
    reason,
    isPassing,
  });
}

async function askService(host: string, port: number): Promise<Answer> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  try {
    const health = v.safeParse(HEALTH, await askFor('/healthz', { host, port, signal }));
    if (!health.success) return { from: 'another program' };
    return { from: 'gastpass', version: health.output.version, obstacles: await askObstacles(host, port) };
  } catch (error) {
    if (signal.aborted) return { from: 'silence' };
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    const isRefused = /^(ECONNREFUSED|ENOTFOUND|EAI_|EADDRNOTAVAIL|EHOSTUNREACH|ENETUNREACH|ETIMEDOUT)/.test(
      code,
    );
    return { from: isRefused ? 'nothing' : 'another program' };
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
      if (text.length > MAX_ANSWER_LENGTH) break;
    }
    return text;
  } finally {
    request.destroy();
  }
}
