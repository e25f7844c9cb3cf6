// How tests order vouchers from a driver: as a caller who waits for half a minute.

const PATIENCE_MS = 30_000;

export function ordering(signal = AbortSignal.timeout(PATIENCE_MS)) {
  return { caller: 'test', leftMs: () => PATIENCE_MS, signal };
}
