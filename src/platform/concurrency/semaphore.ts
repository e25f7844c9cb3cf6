// Limits how many operations run at once. The others wait in a queue, in which urgent ones come first.

export interface SemaphoreOptions {
  places: number;
  /** Callers that wait longer are refused. Unlimited by default. */
  maxWaitMs?: number;
}

export interface Semaphore {
  /** Waits for a place. False if the caller was refused; otherwise the caller must release the place. */
  acquire(isUrgent?: boolean): Promise<boolean>;
  release(): void;
}

export function makeSemaphore({ places, maxWaitMs }: SemaphoreOptions): Semaphore {
  let free = places;
  const urgent: (() => void)[] = [];
  const others: (() => void)[] = [];

  return {
    acquire(isUrgent = false) {
      if (free > 0) {
        free--;
        return Promise.resolve(true);
      }
      const queue = isUrgent ? urgent : others;
      return new Promise((resolve) => {
        const timer = maxWaitMs === undefined ? undefined : setTimeout(giveUp, maxWaitMs);
        queue.push(start);

        function start() {
          clearTimeout(timer);
          resolve(true);
        }
        function giveUp() {
          queue.splice(queue.indexOf(start), 1);
          resolve(false);
        }
      });
    },
    release() {
      // The place passes directly to the next waiting caller, so that a new caller cannot take it first.
      const next = urgent.shift() ?? others.shift();
      if (next) next();
      else free++;
    },
  };
}
