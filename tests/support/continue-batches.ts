// Goes on with the open batches of an installation, as the service does, and waits until all of them have ended.

import { makeFillDeps } from '../../src/kernel/batches/batch-use-cases.ts';
import { makeContinueBatches } from '../../src/kernel/batches/create-batch.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { makeCreationUseCases } from '../../src/kernel/vouchers/creation-use-cases.ts';

export async function continueBatches(installation: Installation): Promise<void> {
  const creation = makeCreationUseCases(installation, { timeZone: 'Europe/Berlin' });
  const { signal: stopping } = new AbortController();
  await Promise.all(await makeContinueBatches(makeFillDeps(installation, { ...creation, stopping }))());
}
