// Checks whether the service is ready. The database is probed with a write, at most once a second.

const PROBE_EVERY_MS = 1_000;

interface Deps {
  /** False until the set-up at start is complete: the configured first administrator or demo then exists. */
  isSetUp: () => boolean;
  isDraining: () => boolean;
  probeWrite: () => Promise<void>;
}

/** Returns the reasons why the service is not ready; an empty list if it is ready. */
export type FindReadinessFailures = () => Promise<string[]>;

export function makeFindReadinessFailures({ isSetUp, isDraining, probeWrite }: Deps): FindReadinessFailures {
  let probedAt = Number.NEGATIVE_INFINITY;
  let probe: Promise<string[]> = Promise.resolve([]);

  return async function findReadinessFailures() {
    if (isDraining()) return ['shutting down'];
    if (!isSetUp()) return ['starting'];
    if (performance.now() - probedAt > PROBE_EVERY_MS) {
      probedAt = performance.now();
      probe = probeWrite().then(
        () => [],
        () => ['database cannot be written'],
      );
    }
    return probe;
  };
}
