// What a feature adds to System health and `gastpass doctor`: it examines its part of the installation, says what it
// has found, and how to solve problems. Its facts extend `HealthFacts`.

import type { Language } from '../../platform/text/language.ts';
import type { Installation } from '../installation.ts';
import type { Messages } from '../texts/messages.ts';
import type { AnyFact, Finding, HealthFact } from './finding.ts';
import type { SaidOf } from './health-said.ts';

export interface HealthCheck {
  /** What is examined, in English, for the finding that it could not be examined. */
  part: string;
  /** Findings are listed in this order: those below 100 before those about API keys, the others at the end. */
  place: number;
  /** `patienceMs`: how long another system may take to answer. */
  examine(installation: Installation, patienceMs: number): Promise<Finding[]>;
  said: Record<Language, Partial<SaidOf>>;
  /** What the overview calls its problems. */
  subject?: Record<Language, string>;
  /** The link to the page where the problem can be fixed. */
  wayOut?(fact: HealthFact, reader: { messages: Messages; language: Language }): Way | undefined;
  /** The command that does the same, unless the text contains it. */
  commandFor?(fact: AnyFact): string | undefined;
  /** Adds the ids to the names, for the terminal: commands need them, and names are not unique. */
  withIds?(fact: AnyFact): AnyFact;
}

export interface Way {
  href: string;
  label: string;
}
