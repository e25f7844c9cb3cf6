// Compares the list of 200 vouchers with a bare node:http server that sends the same bytes. Rounds alternate between
// the two, so that a noisy machine disturbs both equally; the medians are compared.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import autocannon from 'autocannon';
import { median } from './median.ts';
import { cpuMs } from './processor-time.ts';
import { startServiceProcess } from './start-service.ts';

/** The default of autocannon. */
const CONNECTIONS = 10;
const ROUNDS = 7;
const ROUND_S = 3;

interface Side {
  url: string;
  headers: Record<string, string>;
  pid: number | undefined;
}

interface Round {
  perS: number;
  /** Processor time of the measured process for one response. */
  cpuUs: number;
}

async function measure({ url, headers, pid }: Side): Promise<Round> {
  const before = cpuMs(pid);
  const result = await autocannon({ url, headers, connections: CONNECTIONS, duration: ROUND_S });
  const refused = result['4xx'] + result['5xx'] + result.errors;
  if (refused > 0) throw new Error(`${url}: ${refused} requests failed`);
  const { total } = result.requests;
  return { perS: total / result.duration, cpuUs: ((cpuMs(pid) - before) * 1000) / total };
}

async function startRaw(body: string): Promise<Side & { stop(): void }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('raw-server.ts', import.meta.url))], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(body);
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), headers: {}, pid: child.pid, stop: () => child.kill() };
}

async function fill(url: string, headers: Record<string, string>): Promise<void> {
  for (let i = 0; i < 200; i++) {
    const body = JSON.stringify({ site_id: 1, name: `Zimmer ${i}` });
    const made = await fetch(url, { method: 'POST', headers, body });
    if (made.status !== 201) throw new Error(`POST answered ${made.status}`);
  }
}

export async function benchList() {
  const service = await startServiceProcess();
  const headers = { authorization: `Bearer ${service.keyText}` };
  const url = `${service.url}/api/vouchers.php`;
  await fill(url, headers);

  const list: Side = { url: `${url}?site_id=1`, headers, pid: service.process.pid };
  const answer = await fetch(list.url, { headers });
  const raw = await startRaw(await answer.text());
  const unchanged = { ...list, headers: { ...headers, 'if-none-match': answer.headers.get('etag') ?? '' } };

  const rounds: Record<'list' | 'raw' | 'unchanged', Round[]> = { list: [], raw: [], unchanged: [] };
  // The first round of each is a warm-up and does not count.
  for (let round = 0; round <= ROUNDS; round++) {
    const measured = {
      list: await measure(list),
      raw: await measure(raw),
      unchanged: await measure(unchanged),
    };
    if (round === 0) continue;
    rounds.list.push(measured.list);
    rounds.raw.push(measured.raw);
    rounds.unchanged.push(measured.unchanged);
  }
  raw.stop();
  await service.stop();

  const middle = (side: Round[], what: keyof Round) => median(side.map((round) => round[what]));
  const listPerS = middle(rounds.list, 'perS');
  const rawPerS = middle(rounds.raw, 'perS');
  return {
    listPerS,
    rawPerS,
    ratio: listPerS / rawPerS,
    notModifiedPerS: middle(rounds.unchanged, 'perS'),
    listCpuUs: middle(rounds.list, 'cpuUs'),
    rawCpuUs: middle(rounds.raw, 'cpuUs'),
  };
}

if (import.meta.main) console.log(await benchList());
