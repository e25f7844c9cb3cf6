// Continues open batches that no process is filling, after a stop, a kill or an outage of the database.

const EVERY_MS = 5_000;

export function makeBatchesTurn(
  continueBatches: () => Promise<Promise<unknown>[]>,
  runInBackground: (work: Promise<unknown>) => void,
) {
  return async function batchesTurn(): Promise<number> {
    for (const filling of await continueBatches()) runInBackground(filling);
    return EVERY_MS;
  };
}
