// Examines whether the service runs: on SQLite by the lock on its data folder, and by what answers on its port.

import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import * as v from 'valibot';
import type { Config } from '../../config/config.ts';
import { VERSION } from '../../config/version.ts';
import { STORAGE_ERROR_REASONS, sayStorageError } from '../../domain/health/storage-errors.ts';
import { toOneLine } from '../../domain/one-line.ts';
import { isServed } from '../../storage/service-lock.ts';
import { adviseOnDisk } from './database.ts';
import { type Finding, fault, ok, warning } from './finding.ts';

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
  | { from: 'another program' | 'nobody' | 'silence' | 'not-asked' };

const START = 'start it with gastpass serve, or systemctl start gastpass';
/** On PostgreSQL, the service may be an instance of the template unit, which is named by its port. */
const startOf = (port: number) => `${START} or gastpass@${port}`;

export interface ServiceState {
  finding: Finding;
  isRunning: boolean;
}

export async function examineService({ host, port, dataDir, database }: Config): Promise<ServiceState> {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  const answer: Answer = port === 0 ? { from: 'not-asked' } : await askService(reachable, port);
  const url = `http://${reachable.includes(':') ? `[${reachable}]` : reachable}:${port}`;
  const isFolderServed = isServed(dataDir);
  if (!database) {
    const finding = isFolderServed ? judgeRunning(answer, url) : judgeStopped(answer, url);
    return { finding, isRunning: isFolderServed && answer.from !== 'silence' };
  }
  if (isFolderServed) return { finding: judgeOtherDatabase(dataDir), isRunning: false };
  return { finding: judgeInstance(answer, url, startOf(port)), isRunning: answer.from === 'gastpass' };
}

/** A service on PostgreSQL does not lock the data folder, so whoever holds the lock uses SQLite. */
function judgeOtherDatabase(dataDir: string): Finding {
  return fault(
    'service',
    `DATABASE_URL is set, but the service on ${dataDir} still runs with the SQLite database there: restart it (or wait, if gastpass move, restore or migrate is running)`,
  );
}

/** Several instances can share a PostgreSQL database, so only the port tells whether this instance runs. */
function judgeInstance(answer: Answer, url: string, start: string): Finding {
  switch (answer.from) {
    case 'gastpass':
      return judgeAnswer(answer, url);
    case 'not-asked':
      return ok('service', 'not examined, because PORT is 0');
    case 'another program':
      return fault(
        'service',
        `another program answers at ${url}: stop it, or set another PORT; then ${start}`,
      );
    case 'silence':
      return fault('service', `accepts connections at ${url}, but does not answer: restart it`);
    case 'nobody':
      return fault(
        'service',
        `nothing answers at ${url}: ${start}; or run doctor where the service runs, with its HOST and PORT`,
      );
  }
}

/** Only one service can use a data folder, and it holds the lock while it runs. */
function judgeRunning(answer: Answer, url: string): Finding {
  switch (answer.from) {
    case 'gastpass':
      return judgeAnswer(answer, url);
    case 'not-asked':
      return ok('service', 'running, on a free port because PORT is 0');
    case 'silence':
      return fault('service', `accepts connections at ${url}, but does not answer: restart it`);
    case 'another program':
    case 'nobody': {
      const who = answer.from === 'nobody' ? 'nothing' : 'another program';
      return warning(
        'service',
        `running, but ${who} answers at ${url}: run doctor with the HOST and PORT of the service`,
      );
    }
  }
}

function judgeStopped(answer: Answer, url: string): Finding {
  switch (answer.from) {
    case 'gastpass':
      return fault(
        'service',
        `not running on this data folder, but another Gastpass answers at ${url}: run doctor with its DATA_DIR; or stop it, or set another PORT, then ${START}`,
      );
    case 'silence':
    case 'another program':
      return fault(
        'service',
        `not running, and another program uses ${url}: stop it, or set another PORT; then ${START}`,
      );
    case 'nobody':
    case 'not-asked':
      return fault('service', `not running: ${START}`);
  }
}

/** The service reports its own failed writes: a write of this process may succeed at the same time. */
function judgeAnswer(
  { version, obstacles }: { version: string | undefined; obstacles: string[] },
  url: string,
): Finding {
  if (obstacles.length > 0) return judgeObstacles(obstacles, url);
  return version === VERSION
    ? ok('service', `running at ${url}, version ${version}`)
    : warning(
        'service',
        `running at ${url} with ${version ? `version ${version}` : 'an older release'}, but ${VERSION} is installed: restart it`,
      );
}

function judgeObstacles(obstacles: string[], url: string): Finding {
  const text = `running at ${url}, but not ready (${toOneLine(obstacles.join(', '))})`;
  if (obstacles.every((obstacle) => PASSING.includes(obstacle))) return warning('service', `${text}: wait`);
  const reason = STORAGE_ERROR_REASONS.find((each) =>
    obstacles.some((obstacle) => obstacle.endsWith(`: ${sayStorageError(each)}`)),
  );
  const advice = reason ? adviseOnDisk(reason) : 'its log says why';
  return fault('service', `${text}: ${advice}`);
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
    return { from: isRefused ? 'nobody' : 'another program' };
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
