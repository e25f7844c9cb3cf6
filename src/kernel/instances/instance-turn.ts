// Notes at intervals that this instance is alive.

import { INSTANCE_NOTED_EVERY_MS, type Instance, type InstanceStore } from './instance.ts';

export function makeInstanceTurn(instances: Pick<InstanceStore, 'note'>, self: Instance) {
  return async function instanceTurn(): Promise<number> {
    await instances.note(self);
    return INSTANCE_NOTED_EVERY_MS;
  };
}
