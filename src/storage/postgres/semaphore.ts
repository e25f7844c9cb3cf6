// Lets as many in as there are connections, the others wait in line, and who finishes something goes before
// who begins. The pool has one time-out for both waiting and connecting; a busy service is to be waited for,
// a dead database is not.

import { DatabaseUnavailable } from '../../domain/database-unavailable.ts';
import type { Urgency } from '../database.ts';

const MAX_WAIT_MS = 15_000;

export interface Semaphore {
  enter(who?: Urgency): Promise<void>;
  leave(): void;
}

export function makeSemaphore(places: number): Semaphore {
  let free = places;
  const waiting: Record<Urgency, (() => void)[]> = { begins: [], finishes: [] };

  return {
    enter(who = 'begins') {
      if (free > 0) {
        free--;
        return Promise.resolve();
      }
      return new Promise((resolve, reject) => {
        const go = () => {
          clearTimeout(timer);
          resolve();
        };
        const timer = setTimeout(() => {
          waiting[who].splice(waiting[who].indexOf(go), 1);
          reject(new DatabaseUnavailable(new Error('too many wait for a connection')));
        }, MAX_WAIT_MS);
        waiting[who].push(go);
      });
    },
    leave() {
      // The place is handed on, so that nobody slips in between.
      const next = waiting.finishes.shift() ?? waiting.begins.shift();
      if (next) next();
      else free++;
    },
  };
}
