// Reads which vouchers are meant by a URL or a form: those of a batch, or a selection.

import type { Batch } from '../../batches/batch.ts';
import { asBatchId, asVoucherId, type VoucherId } from '../../ids.ts';
import type { PageContext } from '../../pages/context.ts';

export async function findBatch({ app }: PageContext, inputs: URLSearchParams): Promise<Batch | undefined> {
  const id = inputs.get('batch');
  return id === null ? undefined : app.batches.find(asBatchId(id));
}

/** Undefined if an id is malformed or the batch does not exist. */
export function readVoucherIds(inputs: URLSearchParams, batch: Batch | undefined): VoucherId[] | undefined {
  if (inputs.has('batch')) return batch?.vouchers.map(({ id }) => id);
  const texts = [...new Set(inputs.getAll('voucher'))];
  return texts.every((text) => /^\d{1,15}$/.test(text))
    ? texts.map((text) => asVoucherId(Number(text)))
    : undefined;
}
