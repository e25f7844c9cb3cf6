// Time as a dependency: use cases read a clock, so that tests can set the time.

export interface Clock {
  nowMs(): number;
}

export const systemClock: Clock = { nowMs: () => Date.now() };

export const toWholeSeconds = (ms: number): number => Math.floor(ms / 1000);
