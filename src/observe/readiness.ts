// Answers "can the service do its work?" by really writing to the database, at most once a second
// however often it is asked.

const PROBE_EVERY_MS = 1_000;

export function makeFindObstacles(needs: { isDraining: () => boolean; probeWrite: () => Promise<void> }) {
  let probedAt = Number.NEGATIVE_INFINITY;
  let probe: Promise<string[]> = Promise.resolve([]);

  return async function findObstacles(): Promise<string[]> {
    if (needs.isDraining()) return ['shutting down'];
    if (performance.now() - probedAt > PROBE_EVERY_MS) {
      probedAt = performance.now();
      probe = needs.probeWrite().then(
        () => [],
        () => ['database cannot be written'],
      );
    }
    return probe;
  };
}
