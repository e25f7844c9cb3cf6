// The mail that the vouchers of a batch are sent with. It is stored sealed, because it has the address of a guest.

import * as v from 'valibot';
import type { NewBatch } from '../../domain/batches/batch.ts';
import type { BatchId } from '../../domain/ids.ts';
import { LANGUAGES } from '../../domain/language.ts';
import type { OrderedMail } from '../../domain/mail/mail.ts';
import type { Handle } from '../database.ts';
import { readJson } from '../read-json.ts';
import { canOpen, type Seal } from '../seal.ts';
import type { SealedPlace } from '../sealed-columns.ts';

const Mail = v.object({ address: v.string(), language: v.exactOptional(v.picklist(LANGUAGES)) });

/** Locks the check value: see `Seal`. */
export async function sealMail(
  transaction: Handle,
  seal: Seal,
  { id, order: { mail } }: NewBatch,
): Promise<string | null> {
  return mail ? seal.seal(transaction, JSON.stringify(mail), placeOf(id)) : null;
}

/** Undefined if there is no mail, or if it cannot be opened. */
export function openMail(seal: Seal, id: BatchId, sealed: string | null): OrderedMail | undefined {
  if (sealed === null || !canOpen(seal, sealed, placeOf(id))) return undefined;
  const read = v.safeParse(Mail, readJson(seal.open(sealed, placeOf(id))));
  return read.success ? read.output : undefined;
}

function placeOf(id: BatchId): SealedPlace {
  return { table: 'batches', column: 'sealed_mail', row: id };
}
