// Closes open batches whose creating process was killed, without creating their missing vouchers.

const EVERY_MS = 30_000;

export function makeBatchesTurn(endLeftBatches: (signal: AbortSignal) => Promise<void>) {
  return async function batchesTurn(signal: AbortSignal): Promise<number> {
    await endLeftBatches(signal);
    return EVERY_MS;
  };
}
