// Admits as many callers as there are connections. The other callers wait in a queue, in which callers that finish
// work come before callers that begin work. The pool has one time-out for both waiting and connecting; this semaphore
// separates the two, because a busy service is worth a longer wait than a dead database.

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
      // The place passes directly to the next waiting caller, so that a new caller cannot take it first.
      const next = waiting.finishes.shift() ?? waiting.begins.shift();
      if (next) next();
      else free++;
    },
  };
}
