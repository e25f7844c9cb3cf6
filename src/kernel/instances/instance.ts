// An instance, which is a running service on this database, and the store for instances. Each instance records its
// release, so that the others know which values it can read. Instances before release 0.2.0 do not record it.

/** How often an instance notes that it is alive. */
export const INSTANCE_NOTED_EVERY_MS = 20_000;

export interface Instance {
  id: string;
  /** The machine and the port, such as `web-2:8080`. */
  name: string;
  release: string;
  schemaVersion: number;
}

/** Times are taken from the clock that all instances share. */
export interface InstanceStore {
  /** Notes that the instance is alive, and forgets instances that died long ago. */
  note(instance: Instance): Promise<void>;
  forget(id: string): Promise<void>;
  /** For a service that knows it is the only instance. */
  forgetAll(): Promise<void>;
  /** The instances that were alive a moment ago, the oldest release first. */
  listLiving(): Promise<Instance[]>;
}

/** Negative if `one` is the older release. A release that cannot be read counts as the oldest. */
export function compareReleases(one: string, other: string): number {
  const [ofOne, ofOther] = [toNumbers(one), toNumbers(other)];
  for (const index of [0, 1, 2]) {
    const difference = (ofOne[index] ?? 0) - (ofOther[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function toNumbers(release: string): number[] {
  return (/^(\d+)\.(\d+)\.(\d+)/.exec(release) ?? []).slice(1).map(Number);
}
