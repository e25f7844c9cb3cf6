// When the worker searches the controllers next for the vouchers of open intents. Requests whose Idempotency-Key waits
// for such a search are told how long to wait.

/** How long to wait for something that is under way and may end at any moment. */
export const SOON_S = 2;

export type NextSearch = ReturnType<typeof makeNextSearch>;

export function makeNextSearch(monotonicMs: () => number) {
  let atMs = 0;
  return {
    /** Called after a search, with the pause before the next one. */
    note(pauseMs: number): void {
      atMs = monotonicMs() + pauseMs;
    },
    /** In whole seconds, at least 1. */
    leftS(): number {
      const leftMs = atMs - monotonicMs();
      return leftMs > 0 ? Math.ceil(leftMs / 1000) : SOON_S;
    },
  };
}
