// The mail that the vouchers of a batch are sent with. It is stored sealed, because it has the address of a guest.

import * as v from 'valibot';
import type { OrderedMail } from '../../features/mail/mail.ts';
import type { Handle } from '../../platform/database/database.ts';
import { readJson } from '../../platform/database/read-json.ts';
import { canOpen, type Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { LANGUAGES } from '../../platform/text/language.ts';
import type { BatchId } from '../ids.ts';
import type { NewBatch } from './batch.ts';

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
