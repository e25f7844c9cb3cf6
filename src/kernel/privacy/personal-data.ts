// Finds and erases what the installation stores about a person. The search is for a text, such as the person's name.

import type { AuditContext } from '../audit/audit-log.ts';
import type { Revocable, RevokeVoucher } from '../vouchers/revoke-voucher.ts';
import type { PersonalText } from './personal-text.ts';

/** One stored record that contains the wanted text. */
export interface Mention {
  table: string;
  /** The record without its secrets and hashes. */
  row: Record<string, unknown>;
  /** The columns that contain the text. */
  columns: string[];
  /** `kept`: `erase` leaves these columns unchanged, for example in users and settings, which are changed elsewhere. */
  erasure: 'possible' | 'kept';
  /** Set for a voucher whose name contains the text and which the controller still lists under that name. */
  listed?: Revocable;
}

export interface PersonalDataStore {
  find(text: PersonalText): AsyncIterable<Mention>;
  /** Replaces the text in all records where that is possible. Returns the number of changed records by table. */
  erase(text: PersonalText, audit: AuditContext): Promise<Record<string, number>>;
}

/**
 * Deletes the found vouchers from their controllers, because a controller cannot change the name of a voucher. Returns
 * the number of deleted vouchers, and why others were not deleted.
 */
export async function revokeMentioned(
  mentions: AsyncIterable<Mention>,
  { revokeVoucher, audit }: { revokeVoucher: RevokeVoucher; audit: AuditContext },
): Promise<{ revoked: number; failures: { voucher: Revocable; reason: string }[] }> {
  let revoked = 0;
  const failures: { voucher: Revocable; reason: string }[] = [];
  for await (const { listed: voucher } of mentions) {
    if (!voucher) continue;
    const failure = await revokeVoucher(voucher, audit);
    if (failure) failures.push({ voucher, reason: failure.text });
    else revoked += 1;
  }
  return { revoked, failures };
}
