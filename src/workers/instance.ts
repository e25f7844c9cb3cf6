// Notes at intervals that this instance is alive.

import { type Instance, type InstanceStore, NOTED_EVERY_MS } from '../domain/instances/instance.ts';

export function makeInstanceTurn(instances: Pick<InstanceStore, 'note'>, self: Instance) {
  return async function instanceTurn(): Promise<number> {
    await instances.note(self);
    return NOTED_EVERY_MS;
  };
}
