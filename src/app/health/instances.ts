// Examines the running instances: all should run the same release.

import type { Instance } from '../../domain/instances/instance.ts';
import type { Installation } from '../installation.ts';
import { type Finding, ok, warning } from './finding.ts';

export async function examineInstances({ instances }: Pick<Installation, 'instances'>): Promise<Finding[]> {
  return judgeInstances(await instances.listLiving());
}

/** No finding if no service runs on this database. */
export function judgeInstances(living: Instance[]): Finding[] {
  const [oldest] = living;
  if (!oldest) return [];
  const { release } = oldest;
  if (living.every((one) => one.release === release)) {
    const count = living.length;
    const text = `${count} ${count === 1 ? 'runs' : 'run'} release ${release}`;
    return [ok('instances', text, { kind: 'instances-ok', count, release })];
  }
  const named = living.map((one) => `${one.name} ${one.release}`);
  const text = `they run different releases (${named.join(', ')}): upgrade the older ones`;
  return [warning('instances', text, { kind: 'instances-differ', instances: named })];
}
