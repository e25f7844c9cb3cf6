// A clock that does not move until a test advances it.

export interface FakeClock {
  nowMs(): number;
  advance(ms: number): void;
}

export function makeFakeClock(): FakeClock {
  let nowMs = Date.parse('2026-01-15T11:28:51.000Z');
  return {
    nowMs: () => nowMs,
    advance(ms) {
      nowMs += ms;
    },
  };
}
