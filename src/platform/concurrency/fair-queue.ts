// A queue whose lanes take turns: a lane with hundreds of entries delays an entry of another lane by one turn only. The
// entries of one lane are served first in, first out.

export interface FairQueue<Entry> {
  readonly size: number;
  push(lane: string, entry: Entry): void;
  /** The entry whose turn is next; `shift` also removes it. */
  peek(): Entry | undefined;
  shift(): Entry | undefined;
  remove(lane: string, entry: Entry): void;
  /** How many entries would be served before a new entry of this lane. */
  aheadOf(lane: string): number;
  /**
   * Removes and returns the newest entry of the longest lane. Does nothing unless that lane has at least two entries
   * more than the named lane.
   */
  evictFor(lane: string): Entry | undefined;
  /** All entries in the order in which they would be served. */
  inTurn(): Entry[];
}

export function makeFairQueue<Entry>(): FairQueue<Entry> {
  /** The lanes, in the order in which they are served. Empty lanes are removed. */
  const lanes = new Map<string, Entry[]>();
  let size = 0;

  return {
    get size() {
      return size;
    },

    push(lane, entry) {
      const entries = lanes.get(lane);
      if (entries) entries.push(entry);
      else lanes.set(lane, [entry]);
      size++;
    },

    peek: () => lanes.values().next().value?.[0],

    shift() {
      const [turn] = lanes;
      if (!turn) return undefined;
      const [lane, entries] = turn;
      lanes.delete(lane);
      const entry = entries.shift();
      if (entries.length > 0) lanes.set(lane, entries);
      size--;
      return entry;
    },

    remove(lane, entry) {
      const entries = lanes.get(lane);
      const index = entries?.indexOf(entry) ?? -1;
      if (!entries || index < 0) return;
      entries.splice(index, 1);
      if (entries.length === 0) lanes.delete(lane);
      size--;
    },

    aheadOf(lane) {
      const own = lanes.get(lane)?.length ?? 0;
      let ahead = own;
      for (const [other, { length }] of lanes) if (other !== lane) ahead += Math.min(length, own + 1);
      return ahead;
    },

    evictFor(lane) {
      let longest: [string, Entry[]] | undefined;
      for (const candidate of lanes)
        if (!longest || candidate[1].length > longest[1].length) longest = candidate;
      if (!longest || longest[0] === lane || longest[1].length <= (lanes.get(lane)?.length ?? 0) + 1)
        return undefined;
      size--;
      return longest[1].pop();
    },

    inTurn() {
      const all = [...lanes.values()];
      const longest = Math.max(0, ...all.map(({ length }) => length));
      const ordered: Entry[] = [];
      for (let turn = 0; turn < longest; turn++)
        for (const entries of all) {
          const entry = entries[turn];
          if (entry !== undefined) ordered.push(entry);
        }
      return ordered;
    },
  };
}
