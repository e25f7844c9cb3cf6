// What the health page says about a finding: one sentence for each kind of fact, in each language.

import type { FailureCause } from '../domain/controller.ts';
import type { FactKind, FactOf } from '../domain/health/finding.ts';

export interface Said {
  title: string;
  text: string;
  /** What to do. Absent if all is well. */
  todo?: string;
  /** A command for the server, or a setting. */
  command?: string;
  /** A technical message, in English. */
  detail?: string;
}

/** Formats of the reader's language. */
export interface Formats {
  time: (ms: number) => string;
  day: (ms: number) => string;
  duration: (ms: number) => string;
  volume: (mb: number) => string;
  /** Joins names. If there are many, lists only the first ones; `rest` describes how many follow, at least two. */
  names: (names: string[], rest: (count: number) => string) => string;
  /** What to do about a controller that fails. */
  mend: (cause: FailureCause | null) => string;
}

export type SaidOf = { [Kind in FactKind]: (fact: FactOf<Kind>, formats: Formats) => Said };
