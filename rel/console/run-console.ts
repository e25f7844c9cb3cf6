// A console that damages its answers: thousands for each call of both drivers. Nothing crashes, memory does not grow,
// and no voucher is lost. Called by `npm run rel -- console`; the tests run a short version.

import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { Operation } from '../../packages/unifi-console/src/http.ts';
import { type FuzzedKind, type LaneReport, openLane } from './fuzz-lane.ts';

export const CALLS: Record<FuzzedKind, Operation[]> = {
  unifi: ['info', 'sites', 'create', 'list', 'delete'],
  'unifi-classic': ['probe', 'login', 'status', 'sites', 'create', 'list', 'guests', 'delete'],
};
/** Lanes first run for this share of the answers, so that compiled code and caches are not counted as growth. */
const WARM_UP = 0.2;
const MEGABYTE = 1024 * 1024;
const MAX_GROWTH_MB = 30;
const SHOWN = 20;

export interface ConsoleReport {
  lanes: LaneReport[];
  answers: number;
  growthMb: number;
  longestStallMs: number;
  seconds: number;
  /** Rejections and errors that nobody handled. */
  unhandled: string[];
}

export interface FuzzOptions {
  kind: FuzzedKind;
  /** The number of damaged answers for each call. */
  answers: number;
  seed: number;
}

export async function fuzzConsole({ kind, answers: responses, seed }: FuzzOptions): Promise<ConsoleReport> {
  const startedAtMs = Date.now();
  const unhandled: string[] = [];
  const noteUnhandled = (error: unknown) => void unhandled.push(String(error));
  process.on('unhandledRejection', noteUnhandled);
  process.on('uncaughtException', noteUnhandled);
  const stalls = monitorEventLoopDelay({ resolution: 10 });
  const lanes = await Promise.all(
    CALLS[kind].map((operation, index) => openLane({ kind, operation, seed: seed * 1_000 + index })),
  );
  try {
    stalls.enable();
    await Promise.all(lanes.map((lane) => lane.runUntil(Math.ceil(responses * WARM_UP))));
    const beforeMb = usedMb();
    await Promise.all(lanes.map((lane) => lane.runUntil(responses)));
    stalls.disable();
    const reports = lanes.map((lane) => lane.report());
    return {
      lanes: reports,
      answers: reports.reduce((sum, { mutated }) => sum + mutated, 0),
      growthMb: usedMb() - beforeMb,
      longestStallMs: stalls.max / 1e6,
      seconds: Math.round((Date.now() - startedAtMs) / 1000),
      unhandled,
    };
  } finally {
    await Promise.all(lanes.map((lane) => lane.close()));
    process.off('unhandledRejection', noteUnhandled);
    process.off('uncaughtException', noteUnhandled);
  }
}

/** Memory in use after collecting garbage. */
function usedMb(): number {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let rounds = 0; rounds < 3; rounds++) collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / MEGABYTE;
}

export function describeRun(report: ConsoleReport, { kind, seed }: FuzzOptions): string {
  const { lanes, answers: responses, growthMb, longestStallMs, seconds } = report;
  const recovered = lanes.reduce((sum, lane) => sum + lane.recovered, 0);
  return (
    `${kind}: ${responses} damaged answers in ${seconds} s, seed ${seed}: memory grew by ${growthMb.toFixed(1)} MB, ` +
    `longest stall ${longestStallMs.toFixed(0)} ms, ${recovered} times a later sync corrected a record`
  );
}

/** Everything that must not happen. */
export function faultsOf({ unhandled, lanes, growthMb }: ConsoleReport): string[] {
  const grown = growthMb > MAX_GROWTH_MB ? [`memory grew by ${growthMb.toFixed(1)} MB`] : [];
  return [...unhandled, ...lanes.flatMap((lane) => lane.faults), ...grown];
}

/** True if no fault was found. */
export async function runConsole(input: Omit<FuzzOptions, 'kind'>): Promise<boolean> {
  const faults: string[] = [];
  for (const kind of ['unifi', 'unifi-classic'] as const) {
    const report = await fuzzConsole({ ...input, kind });
    console.log(describeRun(report, { ...input, kind }));
    faults.push(...faultsOf(report));
  }
  for (const fault of faults.slice(0, SHOWN)) console.log(`BAD   ${fault}`);
  console.log(
    faults.length === 0 ? 'good  nothing crashed, no voucher was lost' : `BAD   ${faults.length} faults`,
  );
  return faults.length === 0;
}
