// Examines the running instances: all should run the same release.

import type { Finding } from '../../domain/health/finding.ts';
import type { Instance } from '../../domain/instances/instance.ts';
import type { Installation } from '../installation.ts';
import { ok, warning } from './finding.ts';

export async function examineInstances({ instances }: Pick<Installation, 'instances'>): Promise<Finding[]> {
  return judgeInstances(await instances.listLiving());
}

/** No finding if no service runs on this database. */
export function judgeInstances(living: Instance[]): Finding[] {
  const [oldest] = living;
  if (!oldest) return [];
  const { release } = oldest;
  return living.every((one) => one.release === release)
    ? [ok({ kind: 'instances-ok', count: living.length, release })]
    : [warning({ kind: 'instances-differ', instances: living.map((one) => `${one.name} ${one.release}`) })];
}
