// A simulated world with its own time and random numbers: the seed alone decides what happens next. Messages take time
// and processes die, but no real time passes.

export interface World {
  nowMs(): number;
  /** From 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** True once in `inTimes` calls, on average. */
  once(inTimes: number): boolean;
  between(min: number, max: number): number;
  after(ms: number, happen: () => void): void;
  /** Runs the next event; false if no event is left. */
  step(): boolean;
}

interface Happening {
  atMs: number;
  happen: () => void;
}

export function makeWorld(seed: number): World {
  let state = seed | 0;
  let nowMs = 1_000_000;
  const agenda: Happening[] = [];

  /** mulberry32: small, fast, and the same on every machine. */
  function random(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  return {
    nowMs: () => nowMs,
    random,
    once: (inTimes) => random() * inTimes < 1,
    between: (min, max) => min + Math.floor(random() * (max - min + 1)),
    after(ms, happen) {
      const atMs = nowMs + ms;
      // The agenda is short and most new events are due soon; the next event is last.
      let place = agenda.length;
      while (place > 0 && (agenda[place - 1]?.atMs ?? 0) <= atMs) place--;
      agenda.splice(place, 0, { atMs, happen });
    },
    step() {
      const next = agenda.pop();
      if (!next) return false;
      nowMs = next.atMs;
      next.happen();
      return true;
    },
  };
}

/** A process that can die or freeze. The messages it has sent still arrive; a dead process receives nothing. */
export interface Process {
  alive: boolean;
  frozenUntilMs: number;
}

/** Runs an event in a process after a delay: in a frozen process not before it thaws, in a dead process never. */
export function wakeUp(world: World, process: Process, ms: number, happen: () => void): void {
  world.after(ms, () => {
    const thawMs = process.frozenUntilMs - world.nowMs();
    if (thawMs > 0) wakeUp(world, process, thawMs, happen);
    else if (process.alive) happen();
  });
}

export interface Trip {
  there: number;
  back: number;
}

/** Sends a message, applies its effect at the destination, and returns the response to the process if it is alive. */
export function send<Value>(world: World, process: Process, trip: Trip, effect: () => Value): Promise<Value> {
  return new Promise((resolve, reject) => {
    world.after(trip.there, () => {
      let respond: () => void;
      try {
        const value = effect();
        respond = () => resolve(value);
      } catch (error) {
        respond = () => reject(error);
      }
      wakeUp(world, process, trip.back, () => respond());
    });
  });
}
