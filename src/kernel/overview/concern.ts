// Something that needs the attention of an administrator: the overview lists it with a button, and the menu shows how
// many there are. Kernel and features find their own.

import type { Language } from '../../platform/text/language.ts';
import type { Installation } from '../installation.ts';
import type { Site } from '../sites/site.ts';
import type { Messages } from '../texts/messages.ts';

export interface ConcernSource {
  /** Concerns are listed in the order of this number. */
  place: number;
  find(installation: Installation): Promise<Concern[]>;
}

export interface Concern {
  /** Equal concerns, such as all sites of a console that does not answer, are folded into one line. */
  likeness: string;
  /** The name of the site or the device. */
  name?: string;
  /** The name with the word for what it is. If it is missing, the name alone. */
  who?(reader: Reader): string;
  /** Says how many are concerned. */
  all?(reader: Reader, count: number): string;
  /** Numbers in the text. Those of equal concerns are added up, or joined. */
  figures?: readonly number[];
  join?(one: number, other: number): number;
  what(reader: Reader, who: string, figures: readonly number[]): string;
  /** Shown as the time since when the problem exists, for this concern only. */
  sinceMs?: number | null;
  /** What else differs between equal concerns. */
  when?(reader: Reader): string | undefined;
  /** What follows or how to fix it. The same for equal concerns. */
  advice?(reader: Reader, figures: readonly number[]): string | undefined;
  way(reader: Reader): Way;
}

export interface Reader {
  messages: Messages;
  language: Language;
  timeZone: string;
}

export interface Way {
  href: string;
  label: string;
  /** If set, the button sends a form instead of being a link. The form opens the comparison of certificates. */
  compared?: Pick<Site, 'id'> & { connection: NonNullable<Site['connection']> };
}
