// How tests order vouchers from a driver: as a caller who waits long enough, however busy the machine is.

const PATIENCE_MS = 600_000;

export function ordering(signal = AbortSignal.timeout(PATIENCE_MS)) {
  return { caller: 'test', leftMs: () => PATIENCE_MS, signal };
}
