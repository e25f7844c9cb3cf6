// Rules for the service itself: whether it runs, which releases its instances run, and which proxies it should
// trust. Whether it runs is known from the lock on its data folder and from what answers on its port.

import { STORAGE_ERROR_REASONS, sayStorageError } from '../../platform/database/tally-storage-errors.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import type { Instance } from '../instances/instance.ts';
import type { ProxyAdvice } from '../settings/untrusted-proxies.ts';
import {
  type Finding,
  fault,
  type OtherResponder,
  passed,
  type TerminalFinding,
  warning,
} from './finding.ts';

/** Readiness failures that end by themselves. */
const PASSING = ['starting', 'shutting down'];

/** What was found on the port. `not-asked`: the setting is 0, so it is not known which port the service uses. */
export type PortResponse =
  | { from: 'gastpass'; version: string | undefined; obstacles: string[] }
  | { from: OtherResponder | 'silence' | 'not-asked' };

export interface ServiceFacts {
  response: PortResponse;
  url: string;
  port: number;
  dataDir: string;
  /** Whether a service holds the lock on the data folder. */
  isFolderServed: boolean;
  isOnPostgres: boolean;
  /** The release that is installed. */
  installed: string;
}

export function judgeService(facts: ServiceFacts): TerminalFinding {
  const { response, url, port, dataDir, isFolderServed, isOnPostgres } = facts;
  // A service on PostgreSQL does not lock the data folder, so whoever holds the lock uses SQLite.
  if (isOnPostgres && isFolderServed) return fault({ kind: 'service-of-sqlite', folder: dataDir });
  // On SQLite only one service can use a data folder, and it holds the lock while it runs.
  if (!isOnPostgres && !isFolderServed) return judgeStopped(response, url);
  // On SQLite, the lock has shown that the service runs. On PostgreSQL, only the port can show that an instance runs.
  switch (response.from) {
    case 'gastpass':
      return judgeResponse(response, facts);
    case 'silence':
      return fault({ kind: 'service-silent', url });
    case 'not-asked':
      return passed({ kind: isOnPostgres ? 'service-not-asked' : 'service-on-free-port' });
    case 'another program':
    case 'nothing':
      return isOnPostgres
        ? fault({ kind: 'instance-away', url, port, responder: response.from })
        : warning({ kind: 'service-elsewhere', url, responder: response.from });
  }
}

function judgeStopped(response: PortResponse, url: string): TerminalFinding {
  switch (response.from) {
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

/** Relies on the service's own report: a test write of this process may succeed while writes of the service fail. */
function judgeResponse(
  { version, obstacles }: { version: string | undefined; obstacles: string[] },
  { url, installed }: Pick<ServiceFacts, 'url' | 'installed'>,
): TerminalFinding {
  if (obstacles.length > 0) return judgeUnready(obstacles, url);
  return version === installed
    ? passed({ kind: 'service-running', url, version })
    : warning({ kind: 'service-outdated', url, version, installed });
}

function judgeUnready(failures: string[], url: string): TerminalFinding {
  const isPassing = failures.every((failure) => PASSING.includes(failure));
  const reason = STORAGE_ERROR_REASONS.find((each) =>
    failures.some((failure) => failure.endsWith(`: ${sayStorageError(each)}`)),
  );
  return (isPassing ? warning : fault)({
    kind: 'service-not-ready',
    url,
    obstacles: toOneLine(failures.join(', ')),
    reason,
    isPassing,
  });
}

/** No finding if no service runs on this database. */
export function judgeInstances(living: Pick<Instance, 'name' | 'release'>[]): Finding[] {
  const [oldest] = living;
  if (!oldest) return [];
  const { release } = oldest;
  return living.every((one) => one.release === release)
    ? [passed({ kind: 'instances-ok', count: living.length, release })]
    : [warning({ kind: 'instances-differ', instances: living.map((one) => `${one.name} ${one.release}`) })];
}

export function judgeProxies(untrusted: ProxyAdvice[]): Finding[] {
  return untrusted.map((advice) => warning({ kind: 'proxy-untrusted', ...advice }));
}
