// What a mail's message stores, as it is read from the database. A newer release may have written it.

import * as v from 'valibot';
import { LANGUAGES } from '../../platform/text/language.ts';
import type { MailFacts, SealedMailFacts } from './mail.ts';

const FACTS = v.object({
  domain: v.string(),
  language: v.exactOptional(v.picklist(LANGUAGES)),
  expiresAtMs: v.exactOptional(v.number()),
});
const SEALED_FACTS = v.object({ address: v.string() });

/** Undefined if this release cannot read the payload. */
export function readMailFacts(payload: unknown): MailFacts | undefined {
  const read = v.safeParse(FACTS, payload);
  return read.success ? read.output : undefined;
}

/** Undefined if the sealed payload cannot be opened or read. */
export function readSealedMailFacts(payload: unknown): SealedMailFacts | undefined {
  const read = v.safeParse(SEALED_FACTS, payload);
  return read.success ? read.output : undefined;
}
