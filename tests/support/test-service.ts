// Starts a complete service for tests: HTTP on a free port, its own database on the engine under test, and a clock that
// a test controls. Every API response is checked against the service's own OpenAPI documents.

import assert from 'node:assert/strict';
import { type GastpassClient, makeGastpassClient } from '../../packages/client/src/index.ts';
import { openInstallation } from '../../src/app/installation.ts';
import { type Service, startService } from '../../src/app/start-service.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import type { IntroducedValue } from '../../src/kernel/instances/known-since.ts';
import type { Scope } from '../../src/kernel/keys/api-key.ts';
import type { Config } from '../../src/platform/config/config.ts';
import { readConfig } from '../../src/platform/config/read-config.ts';
import type { ServerLimits } from '../../src/platform/http/server.ts';
import { makeLog } from '../../src/platform/log/make-log.ts';
import { TESTER } from './actors.ts';
import { databaseSettings, openRecords, type Records } from './engine.ts';
import { type FakeClock, makeFakeClock } from './fake-clock.ts';
import { checkAgainstOpenapi } from './openapi-check.ts';
import { checkAgainstV1 } from './openapi-v1-check.ts';
import { makeFolder } from './run-gastpass.ts';

/** Slow enough that no notification is delivered during a test. */
const SLOW_PACE = 1_000;

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The parsed body if it is JSON, otherwise null. Not typed, because each test knows what it expects. */
  json: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  /** Sent as a Bearer token. The default is the service's write key; null sends no token. */
  key?: string | null;
  headers?: Record<string, string>;
  /** An object is sent as JSON; text and bytes are sent unchanged. */
  body?: unknown;
}

export interface TestService {
  service: Service;
  config: Config;
  url: string;
  /** The base URL of the API. */
  api: string;
  clock: FakeClock;
  /** A write key without a rate limit. */
  keyText: string;
  /** The log entries so far. */
  logLines: Record<string, unknown>[];
  /** The same installation, opened a second time next to the running service, as the command line would open it. */
  beside: Installation;
  call(method: string, path: string, options?: CallOptions): Promise<Reply>;
  /** For tests that need a voucher but do not test the API. Repeats nothing. */
  client: GastpassClient;
  issueKey(scope: Scope, rateLimit?: number, name?: string): Promise<string>;
  addSite(controllerSite?: string, name?: string): Promise<number>;
  /** Queries the database directly. */
  rows: Records['rows'];
  change: Records['change'];
  stop(): Promise<void>;
}

export interface TestOptions {
  environment?: Record<string, string>;
  clock?: FakeClock;
  /** The factor for all pauses between deliveries. By default it is so large that notifications stay in the outbox. */
  pace?: number;
  /** Adds a webhook. Without one, creations write no notification to the outbox. */
  webhook?: boolean;
  /** Lower limits of the server, for requests that fill them. */
  limits?: Partial<ServerLimits>;
  /** False: no background job runs, so that only the test and its requests write to the database. */
  jobs?: boolean;
  /** Values that older releases do not know. */
  knownSince?: readonly IntroducedValue[];
  /** A data folder that is kept, with its database, when the service stops. */
  dataDir?: string;
}

export function testConfig(environment: Record<string, string>): Config {
  const { config, issues } = readConfig(environment);
  assert.ok(config, `the configuration of the test is invalid: ${issues}`);
  return config;
}

/** The configuration of an installation in this data folder, on the engine under test. */
export async function configOf(dataDir: string, environment: Record<string, string> = {}): Promise<Config> {
  const mayHaveTables = environment.GASTPASS_SECRET === undefined;
  const settings = await databaseSettings(dataDir, { mayHaveTables });
  return testConfig({ DATA_DIR: dataDir, ...settings, ...environment });
}

export async function startTestService(options: TestOptions = {}): Promise<TestService> {
  const { folder: dataDir, remove } = options.dataDir
    ? { folder: options.dataDir, remove: () => {} }
    : makeFolder();
  const config = await configOf(dataDir, {
    PORT: '0',
    LOG_LEVEL: 'debug',
    GASTPASS_DEMO: '0',
    // Tests run the sync explicitly.
    SYNC_INTERVAL_S: '86400',
    ...options.environment,
  });
  const clock = options.clock ?? makeFakeClock();
  const logLines: Record<string, unknown>[] = [];
  const log = makeLog(config.logLevel, { write: (line) => void logLines.push(JSON.parse(line)) });
  const { pace = SLOW_PACE, limits, jobs, knownSince } = options;
  const proxyWaits = { noticeMs: 0, idleMs: 0 };
  const service = await startService(config, { clock, log, pace, limits, jobs, proxyWaits, knownSince });
  const beside = await openInstallation(config, clock, { knownSince });
  const records = openRecords(dataDir);
  const api = service.url + config.basePath;
  // The site and key of the demo, without hashing an administrator's password, which takes half a second.
  if ((await beside.sites.list()).length === 0) await addSite('default', 'Demo');
  if (options.webhook)
    await beside.webhooks.add(
      { url: 'http://127.0.0.1:9/', format: 'generic', platform: null, secrets: null },
      { actor: TESTER, atMs: clock.nowMs() },
    );
  const keyText = service.firstStart.keyText ?? (await issueKey('write'));

  function addSite(controllerSite = 'default', name = 'Haus A'): Promise<number> {
    return beside.sites.add(
      { name, active: true, controllerKind: 'simulator', controllerSite, connection: null },
      { actor: TESTER, atMs: clock.nowMs() },
    );
  }

  async function issueKey(scope: Scope, rateLimit = 0, name = 'Test'): Promise<string> {
    return (await beside.issueKey({ name, scope, rateLimit }, { actor: TESTER, atMs: clock.nowMs() }))
      .keyText;
  }

  async function call(
    method: string,
    path: string,
    { key, headers, body }: CallOptions = {},
  ): Promise<Reply> {
    const bearer = key === undefined ? keyText : key;
    const payload =
      body === undefined || typeof body === 'string' || body instanceof Uint8Array
        ? body
        : JSON.stringify(body);
    const response = await fetch(path.startsWith('/') ? service.url + path : `${api}/${path}`, {
      method,
      headers: { ...(bearer !== null && { authorization: `Bearer ${bearer}` }), ...headers },
      ...(payload !== undefined && { body: payload as string }),
    });
    const text = await response.text();
    const isJson =
      /^application\/(problem\+)?json/.test(response.headers.get('content-type') ?? '') && text !== '';
    const reply = {
      status: response.status,
      headers: response.headers,
      text,
      json: isJson ? JSON.parse(text) : null,
    };
    if (path.startsWith('v1/')) checkAgainstV1(method, path.slice('v1'.length), reply);
    else if (!path.startsWith('/')) checkAgainstOpenapi(method, path, reply);
    return reply;
  }

  return {
    service,
    config,
    url: service.url,
    api,
    clock,
    keyText,
    logLines,
    beside,
    call,
    client: makeGastpassClient({ url: api, key: keyText, patienceMs: 0 }),
    issueKey,
    addSite,
    rows: records.rows,
    change: records.change,
    async stop() {
      records.close();
      await beside.close();
      await service.stop();
      remove();
    },
  };
}
