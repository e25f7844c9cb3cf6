// Goes on with the open batches of an installation, as the service does, and waits until all of them have ended.

import { makeFillDeps } from '../../src/app/batch-use-cases.ts';
import { makeCreationUseCases } from '../../src/app/creation-use-cases.ts';
import type { Installation } from '../../src/app/installation.ts';
import { makeContinueBatches } from '../../src/domain/batches/create-batch.ts';

export async function continueBatches(installation: Installation): Promise<void> {
  const creation = makeCreationUseCases(installation, { timeZone: 'Europe/Berlin' });
  const { signal: stopping } = new AbortController();
  await Promise.all(await makeContinueBatches(makeFillDeps(installation, { ...creation, stopping }))());
}
