// Wires the dependencies of all use cases that fill batches, and the use case that resumes a batch.

import { setTimeout as sleep } from 'node:timers/promises';
import type { Installation } from '../installation.ts';
import { makeMayOrder } from '../sites/sites-for.ts';
import { type FillDeps, makeBatchFiller } from './create-batch.ts';
import { makeResumeBatch, type ResumeBatch } from './resume-batch.ts';

export type FillParts = Pick<FillDeps, 'createVouchers' | 'refuseMany' | 'stopping'>;

export function makeFillDeps(
  {
    batches,
    withLease,
    clock,
    keys,
    users,
  }: Pick<Installation, 'batches' | 'withLease' | 'clock' | 'keys' | 'users'>,
  { createVouchers, refuseMany, stopping }: FillParts,
): FillDeps {
  const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {});
  const mayOrder = makeMayOrder({ keys, users, clock });
  return { batches, mayOrder, createVouchers, refuseMany, withLease, clock, pause, stopping };
}

export function makeResumeUseCase(installation: Installation, parts: FillParts): ResumeBatch {
  const fillBatch = makeBatchFiller(makeFillDeps(installation, parts));
  const { batches, nextSearch } = installation;
  return makeResumeBatch({ batches, nextSearch, fillBatch });
}
