// The report of a move: how many rows of each table were taken over, and what was left out or needs attention. Remarks
// with the same reason are combined, because a dump may cause thousands of them.

import type { MovedInTable } from './moved-in-data.ts';

const MAX_EXAMPLES = 10;

export interface Remark {
  table: MovedInTable | 'settings' | 'dump';
  why: string;
  count: number;
  /** The names of the first rows concerned, or their lines in the dump. */
  examples: string[];
}

export interface MoveInReport {
  tables: { table: MovedInTable; found: number; taken: number }[];
  remarks: Remark[];
}

/** Why nothing was moved in. */
export type MoveInRefusal =
  | { kind: 'moved-in-already' }
  /** The installation has sites of its own, or a demo that was used. */
  | { kind: 'has-sites'; sites: { id: number; name: string; isDemo: boolean }[] }
  /** A single sign-on rule already names the id that a moved site would get. */
  | { kind: 'rule-names-site'; siteId: number };

export class Remarks {
  private readonly byReason = new Map<string, Remark>();

  add(table: Remark['table'], why: string, example?: string): void {
    const known = this.byReason.get(`${table} ${why}`);
    const remark = known ?? { table, why, count: 0, examples: [] };
    remark.count++;
    if (example !== undefined && remark.examples.length < MAX_EXAMPLES) remark.examples.push(example);
    if (!known) this.byReason.set(`${table} ${why}`, remark);
  }

  /** A job that may be repeated adds its remarks to a copy, so that a repetition does not add them twice. */
  copy(): Remarks {
    const copy = new Remarks();
    for (const [reason, remark] of this.byReason)
      copy.byReason.set(reason, { ...remark, examples: [...remark.examples] });
    return copy;
  }

  list(): Remark[] {
    return [...this.byReason.values()];
  }
}
