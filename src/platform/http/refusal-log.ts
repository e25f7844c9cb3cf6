// Limits the log lines for refused requests. In each second, the first refusal of a kind (status, method, route and
// caller) is logged in full. Further ones are counted, and logged as one line when the second is over.

import type { Log } from '../log/log.ts';
import type { RequestFacts } from '../network/request-facts.ts';

const SECOND_MS = 1_000;
/** Limits the memory. Further kinds in the same second share one count. */
const MAX_KINDS = 1_000;
const OTHERS = 'others';

interface Kind {
  facts: Pick<RequestFacts, 'method' | 'route' | 'status'>;
  repeated: number;
}

export function makeRefusalLog(log: Log) {
  const kinds = new Map<string, Kind>();
  const timer = setInterval(flush, SECOND_MS).unref();

  function flush(): void {
    for (const { facts, repeated } of kinds.values())
      if (repeated > 0) log.info({ ...facts, repeated }, 'equal refusals in the same second');
    kinds.clear();
  }

  return {
    /** Whether to log this refusal. `caller` is what the caller presented, for example the beginning of its key. */
    isFirst(facts: RequestFacts, caller: string): boolean {
      const name = `${facts.status} ${facts.method} ${facts.route} ${caller}`;
      const known = kinds.get(name) ?? (kinds.size >= MAX_KINDS ? kinds.get(OTHERS) : undefined);
      if (known) {
        known.repeated++;
        return false;
      }
      const { method, route, status } = facts;
      kinds.set(kinds.size >= MAX_KINDS ? OTHERS : name, { facts: { method, route, status }, repeated: 0 });
      return true;
    },

    /** Logs what was counted and stops. */
    close(): void {
      clearInterval(timer);
      flush();
    },
  };
}
