// Time as a dependency: use cases ask a clock, so tests can decide what time it is.

export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export const toWholeSeconds = (ms: number): number => Math.floor(ms / 1000);
