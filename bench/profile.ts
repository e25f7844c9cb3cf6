// `bin/node bench/profile.ts` shows where the time of a request goes, and writes PROFILES.md: by V8's sampling
// profiler, for the service and for a bare node:http server that sends the same bytes.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeTestDatabase } from '../tests/support/postgres.ts';
import { type Load, measureLoad, type Request } from './load.ts';
import { median } from './median.ts';
import { creation, list, makeWrong } from './requests.ts';
import { startBareServer } from './start-bare.ts';
import { addSite, startConsoleProcess } from './start-console.ts';
import { createVouchers, type RunningService, startServiceProcess } from './start-service.ts';

/** The service is started anew for each round: V8 compiles the same code differently from start to start. */
const ROUNDS = 5;
const LOAD_S = 4;
const WARM_UP_S = 3;
const SAMPLE_US = 200;

interface Profile {
  nodes: { id: number; callFrame: { functionName: string; url: string } }[];
  /** In microseconds of the clock that `process.hrtime` reads. */
  startTime: number;
  samples: number[];
  timeDeltas: number[];
}

/** The first pattern that matches the function's name and file decides. */
const PARTS: [string, RegExp][] = [
  ['waiting', /^\(idle\) /],
  ['garbage collection', /^\(garbage collector\) /],
  ['Node: native code, event loop', /^\(program\) /],
  ['Node: reads and writes of sockets', /^(writev|write\w+|read\w*|shutdown) $/],
  ['Node: its JavaScript', / node:/],
  ['SQLite, commits', /sqlite\/group-commit\.ts/],
  ['SQLite, statements', /storage\/sqlite\//],
  ['Kysely', /kysely/],
  ['pg', /node_modules\/pg/],
  ['undici', /node_modules\/undici/],
  ['log', /pino|sonic-boom|src\/observe\/(log|mask)|mask-secrets/],
  ['simulated controller', /controllers\/simulator/],
  ['API (src/http)', /src\/http\//],
  ['use cases (src/domain)', /src\/domain\//],
  ['queries (src/storage)', /src\/storage\//],
  ['drivers (src/controllers)', /src\/controllers\//],
  ['metrics', /src\/observe\//],
  ['other JavaScript', / (file:|\/)|node_modules/],
];
const OTHER = 'other native code';

function partOf({ functionName, url }: Profile['nodes'][number]['callFrame']): string {
  const place = `${functionName} ${url}`;
  return PARTS.find(([, pattern]) => pattern.test(place))?.[0] ?? OTHER;
}

const nowUs = () => Number(process.hrtime.bigint() / 1_000n);

interface Loaded {
  fromUs: number;
  untilUs: number;
  requests: number;
}

/** Microseconds per request, by part. */
function sumParts(file: string, { fromUs, untilUs, requests }: Loaded): Map<string, number> {
  const { nodes, startTime, samples, timeDeltas }: Profile = JSON.parse(readFileSync(file, 'utf8'));
  const parts = new Map(nodes.map(({ id, callFrame }) => [id, partOf(callFrame)]));
  const sums = new Map<string, number>();
  let at = startTime;
  samples.forEach((id, index) => {
    const delta = timeDeltas[index] ?? 0;
    at += delta;
    if (at < fromUs || at > untilUs) return;
    const part = parts.get(id) ?? OTHER;
    sums.set(part, (sums.get(part) ?? 0) + delta / requests);
  });
  return sums;
}

interface Target {
  url: string;
  pid: number | undefined;
  stop(): void | Promise<void>;
}

interface Work {
  request: Request;
  connections: number;
  isRefused?: boolean;
}

/** `start` is given the Node options that write a profile at the end of the process. */
async function profile(
  start: (nodeOptions: string) => Promise<{ target: Target } & Work>,
): Promise<Map<string, number>> {
  const folder = mkdtempSync(join(tmpdir(), 'gastpass-profile-'));
  try {
    const { target, request, ...work } = await start(
      `--cpu-prof --cpu-prof-interval=${SAMPLE_US} --cpu-prof-dir=${folder}`,
    );
    const load = { ...work, url: target.url, pid: target.pid, requests: [request] };
    const loaded = await loadIt(load).finally(target.stop);
    // Worker threads write profiles, too; the main thread has the number 0.
    const file = readdirSync(folder).find((name) => name.includes(`.${target.pid}.0.`));
    if (!file) throw new Error('no profile was written');
    return sumParts(join(folder, file), loaded);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function loadIt(load: Omit<Load, 'seconds'>): Promise<Loaded> {
  await measureLoad({ ...load, seconds: WARM_UP_S });
  const fromUs = nowUs();
  const { perS } = await measureLoad({ ...load, seconds: LOAD_S });
  return { fromUs, untilUs: nowUs(), requests: perS * LOAD_S };
}

const MANY = 32;

const targetOf = (service: RunningService): Target => ({
  url: service.url,
  pid: service.process.pid,
  stop: service.stop,
});

/** A service with 200 vouchers. */
async function startWithVouchers(NODE_OPTIONS: string): Promise<RunningService> {
  const service = await startServiceProcess(undefined, { NODE_OPTIONS });
  await createVouchers(service, 200);
  return service;
}

async function profileBareList(): Promise<Map<string, number>> {
  const service = await startWithVouchers('');
  const request = list(service.keyText);
  const response = await fetch(service.url + request.path, { headers: request.headers });
  await service.stop();
  return profile(async (nodeOptions) => {
    const bare = await startBareServer(response, nodeOptions.split(' '));
    const target = { url: bare.url, pid: bare.process.pid, stop: bare.stop };
    return { target, request, connections: MANY };
  });
}

const profileList = () =>
  profile(async (nodeOptions) => {
    const service = await startWithVouchers(nodeOptions);
    return { target: targetOf(service), request: list(service.keyText), connections: MANY };
  });

const profileWrongKey = () =>
  profile(async (nodeOptions) => {
    const service = await startWithVouchers(nodeOptions);
    const request = list(makeWrong(service.keyText));
    return { target: targetOf(service), request, connections: MANY, isRefused: true };
  });

const profileCreations = (connections: number) =>
  profile(async (NODE_OPTIONS) => {
    const service = await startServiceProcess(undefined, { NODE_OPTIONS });
    return { target: targetOf(service), request: creation(service.keyText), connections };
  });

async function profileCreationsOnConsole(): Promise<Map<string, number>> {
  const console = await startConsoleProcess(0);
  try {
    return await profile(async (NODE_OPTIONS) => {
      const service = await startServiceProcess(undefined, { NODE_OPTIONS });
      const request = creation(service.keyText, addSite(service, 'unifi', console.connection));
      return { target: targetOf(service), request, connections: 1 };
    });
  } finally {
    await console.stop();
  }
}

async function profileCreationsOnPostgres(): Promise<Map<string, number>> {
  const database = await makeTestDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'gastpass-bench-'));
  const settings = { DATABASE_URL: database.url, GASTPASS_SECRET: 'a secret for measurements, long enough' };
  try {
    return await profile(async (NODE_OPTIONS) => {
      const service = await startServiceProcess(dataDir, { ...settings, NODE_OPTIONS });
      return { target: targetOf(service), request: creation(service.keyText), connections: 20 };
    });
  } finally {
    await database.drop();
    rmSync(dataDir, { recursive: true });
  }
}

const PROFILES: Record<string, () => Promise<Map<string, number>>> = {
  'list, bare': profileBareList,
  list: profileList,
  '401, wrong key': profileWrongKey,
  'create, 1': () => profileCreations(1),
  'create, 32': () => profileCreations(MANY),
  'create, `unifi`, 1': profileCreationsOnConsole,
  'create, PostgreSQL, 20': profileCreationsOnPostgres,
};

const columns: [string, Map<string, number>][] = [];
for (const [name, measure] of Object.entries(PROFILES)) {
  console.error(`profiling: ${name}`);
  const rounds: Map<string, number>[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measure());
  columns.push([name, mediansOf(rounds)]);
}
const text = toMarkdown();
writeFileSync(new URL('PROFILES.md', import.meta.url), text);
console.log(text);

function mediansOf(rounds: Map<string, number>[]): Map<string, number> {
  const parts = new Set(rounds.flatMap((sums) => [...sums.keys()]));
  return new Map([...parts].map((part) => [part, median(rounds.map((sums) => sums.get(part) ?? 0))]));
}

function toMarkdown(): string {
  const commit = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).stdout.trim();
  const line = (cells: string[]) => `| ${cells.join(' | ')} |`;
  const rows = [...PARTS.map(([part]) => part), OTHER].map((part) =>
    line([
      part,
      ...columns.map(([, sums]) => (sums.has(part) ? String(Math.round(sums.get(part) ?? 0)) : '')),
    ]),
  );
  const totals = columns.map(([, sums]) => [...sums.values()].reduce((sum, each) => sum + each, 0));
  return `# Profiles

Where the time of a request goes in the measured process, in microseconds. Made by \`bin/node bench/profile.ts\` at commit
${commit}: medians of ${ROUNDS} rounds, each with a new process. Each column is one kind of request with its number of connections (32 for
lists and the 401). The time includes the wait for the disk and for a free core, and sampling adds about 10 %.
[0046](../docs/decisions/0046-speed.md) uses these figures to explain why some goals of [RESULTS.md](RESULTS.md) are missed.

${line(['part', ...columns.map(([name]) => name)])}
|---|${columns.map(() => '---:|').join('')}
${rows.join('\n')}
${line(['sum', ...totals.map((total) => String(Math.round(total)))])}
`;
}
