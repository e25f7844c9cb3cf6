// The types of the texts about a health finding: a title, a text and what to do. The page "System health" and
// `gastpass doctor` show these texts.

import type { Language } from '../../platform/text/language.ts';
import { sayVolume } from '../../platform/texts/amounts.ts';
import { sayDay, sayRemaining, sayTime } from '../../platform/texts/durations.ts';
import { listNames } from '../../platform/texts/name-list.ts';
import type { FailureCause } from '../controllers/controller.ts';
import type { AnyFact, FactOf, HealthFact } from './finding.ts';

const DAY_MS = 24 * 60 * 60_000;

export interface Said {
  title: string;
  text: string;
  /** What the administrator should do. Absent if all is well. */
  todo?: string;
  /** A command to run on the server, or a setting to change. */
  command?: string;
  /** A technical message, in English. */
  detail?: string;
}

/** Functions that format values in the reader's language. */
export interface Formats {
  time: (ms: number) => string;
  day: (ms: number) => string;
  duration: (ms: number) => string;
  volume: (mb: number) => string;
  /** Joins names into a list, like `listNames`. */
  names: (names: string[], rest: (count: number) => string, maxNamed?: number) => string;
  /** What to do about a controller that fails. */
  mend: (cause: FailureCause | null) => string;
}

export type SaidOf<Fact extends { kind: string } = HealthFact> = {
  [Kind in Fact['kind']]: (fact: FactOf<Kind, Fact>, formats: Formats) => Said;
};

/** The texts of all facts: a kind has its text either in the kernel or in one feature. */
export type AllSaid = readonly Partial<SaidOf<AnyFact>>[];

export function sayFact<Kind extends AnyFact['kind']>(
  said: AllSaid,
  kind: Kind,
  fact: FactOf<Kind, AnyFact>,
  formats: Formats,
): Said {
  const say = said.find((texts) => texts[kind] !== undefined)?.[kind];
  if (!say) throw new Error(`no text says ${kind}`);
  return say(fact, formats);
}

type Untitled = Omit<Said, 'title'>;

/** Adds the same title to the texts of several kinds of facts. */
export function titled<Kind extends AnyFact['kind']>(
  title: string | ((fact: FactOf<Kind, AnyFact>) => string),
  texts: { [Each in Kind]: (fact: FactOf<Each, AnyFact>, formats: Formats) => Untitled },
): Pick<SaidOf<AnyFact>, Kind>;
export function titled(
  title: string | ((fact: never) => string),
  texts: Record<string, (fact: never, formats: Formats) => Untitled>,
): Record<string, (fact: never, formats: Formats) => Said> {
  const titleOf = typeof title === 'string' ? () => title : title;
  return Object.fromEntries(
    Object.entries(texts).map(([kind, textOf]) => [
      kind,
      (fact: never, formats: Formats) => ({ title: titleOf(fact), ...textOf(fact, formats) }),
    ]),
  );
}

export function makeFormats(place: { language: Language; timeZone: string }, mend: Formats['mend']): Formats {
  const { language } = place;
  return {
    time: (ms) => sayTime(ms, place),
    day: (ms) => sayDay(ms, place),
    // Durations of two days or more are rounded to whole days.
    duration: (ms) =>
      sayRemaining((ms < 2 * DAY_MS ? ms : Math.round(ms / DAY_MS) * DAY_MS) / 1_000, language),
    volume: (mb) => sayVolume(mb < 1_000 ? mb : Math.round(mb / 100) * 100, language),
    names: (names, rest, maxNamed) => listNames(names, { rest, maxNamed, language }),
    mend,
  };
}
