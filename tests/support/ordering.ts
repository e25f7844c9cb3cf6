// The call options with which tests order vouchers from a driver. The deadline is long enough for a busy machine.

const PATIENCE_MS = 600_000;

export function ordering(signal = AbortSignal.timeout(PATIENCE_MS)) {
  return { caller: 'test', leftMs: () => PATIENCE_MS, signal };
}
