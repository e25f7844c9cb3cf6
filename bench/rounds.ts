// Measures several sides in turns, and compares how long their creations take.

import { median } from './median.ts';
import type { Row } from './row.ts';

export const ROUNDS = 7;
/** Below 1, because the two sides differ by chance. */
const MIN_RATIO = 0.9;

export interface Figures {
  medianMs: number;
  p99Ms: number;
}

export type Side = () => Promise<Figures>;

/** The first round is a warm-up. The order alternates: who is measured later finds a warm disk. */
export async function measureRounds<Name extends string>(
  sides: Record<Name, Side>,
): Promise<Record<Name, Figures>> {
  const rounds = {} as Record<Name, Figures[]>;
  const names = Object.keys(sides) as Name[];
  for (let round = 0; round <= ROUNDS; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const figures = await sides[name]();
      if (round === 0) rounds[name] = [];
      else rounds[name].push(figures);
    }
  const medians = names.map((name): [Name, Figures] => [
    name,
    {
      medianMs: median(rounds[name].map(({ medianMs }) => medianMs)),
      p99Ms: median(rounds[name].map(({ p99Ms }) => p99Ms)),
    },
  ]);
  return Object.fromEntries(medians) as Record<Name, Figures>;
}

export function compareTimes(name: string, ours: Figures, bare: Figures): Row[] {
  return [
    { ...row(`${name}, median`, ours.medianMs, bare.medianMs), goal: { ratio: MIN_RATIO } },
    row(`${name}, p99`, ours.p99Ms, bare.p99Ms),
  ];
}

/** A ratio of 1 means as fast as the other side. */
function row(name: string, ours: number, bare: number): Row {
  return { name, unit: 'ms', ours: { value: ours }, bare: { value: bare }, ratio: bare / ours };
}
