// Tells whether the service can do its work. The database is probed by a real write, at most once a second.

const PROBE_EVERY_MS = 1_000;

interface Deps {
  /** False until the first administrator or the demo that the configuration asks for exists. */
  isSetUp: () => boolean;
  isDraining: () => boolean;
  probeWrite: () => Promise<void>;
}

/** The reasons why the service is not ready; none if it is ready. */
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
