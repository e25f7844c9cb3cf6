// One row of the results: what Gastpass reaches, what a bare program reaches that does only what is necessary, and the
// goal. Also the way to measure both sides: in turns, so that a noisy machine disturbs both equally.

import type { Measured } from './load.ts';
import { median } from './median.ts';

export interface Figure {
  value: number;
  /** Processor time for one request. */
  cpuUs?: number;
}

export interface Row {
  name: string;
  unit: '/s' | 'ms' | 'MB' | 'bytes';
  bare?: Figure;
  ours: Figure;
  /** 1 means as good as the bare side. */
  ratio?: number;
  /** One of these is enough. */
  goal?: {
    ratio?: number;
    atLeast?: number;
    atMost?: number;
    addedAtMost?: number;
    /** Microseconds of processor time for one request. */
    cpuAtMost?: number;
  };
}

export interface Sides {
  ours: Measured;
  bare: Measured;
}

const ROUNDS = 5;

/** Returns the medians. The first round of each side is a warm-up and does not count. */
export async function measureInTurns(
  ours: () => Promise<Measured>,
  bare: () => Promise<Measured>,
  rounds = ROUNDS,
): Promise<Sides> {
  const measured: Sides[] = [];
  for (let round = 0; round <= rounds; round++) {
    const pair = { ours: await ours(), bare: await bare() };
    if (round > 0) measured.push(pair);
  }
  return mediansOf(measured);
}

export function mediansOf(measured: Sides[]): Sides {
  return {
    ours: medianOf(measured.map((pair) => pair.ours)),
    bare: medianOf(measured.map((pair) => pair.bare)),
  };
}

function medianOf(rounds: Measured[]): Measured {
  return {
    perS: median(rounds.map(({ perS }) => perS)),
    p99Ms: median(rounds.map(({ p99Ms }) => p99Ms)),
    cpuUs: median(rounds.map(({ cpuUs }) => cpuUs)),
  };
}

/**
 * For requests that only need the processor: their ratio is that of processor times, which other programs disturb
 * least.
 */
export function cpuBoundRow(name: string, sides: Sides, goal?: Row['goal']): Row {
  return { ...rateRow(name, sides, goal), ratio: sides.bare.cpuUs / sides.ours.cpuUs };
}

/** For requests that also wait, for a disk or a console. */
export function rateRow(name: string, { ours, bare }: Sides, goal?: Row['goal']): Row {
  return {
    name,
    unit: '/s',
    bare: { value: bare.perS, cpuUs: bare.cpuUs },
    ours: { value: ours.perS, cpuUs: ours.cpuUs },
    ratio: ours.perS / bare.perS,
    ...(goal && { goal }),
  };
}

export function isMet({ bare, ours, ratio, goal = {} }: Row): boolean {
  const { atLeast, atMost, addedAtMost, cpuAtMost } = goal;
  if (goal.ratio !== undefined && ratio !== undefined && ratio >= goal.ratio) return true;
  if (atLeast !== undefined && ours.value >= atLeast) return true;
  if (atMost !== undefined && ours.value <= atMost) return true;
  if (cpuAtMost !== undefined && ours.cpuUs !== undefined && ours.cpuUs <= cpuAtMost) return true;
  return addedAtMost !== undefined && ours.value - (bare?.value ?? 0) <= addedAtMost;
}
