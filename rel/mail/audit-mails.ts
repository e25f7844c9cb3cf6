// Compares the mails that arrived with the vouchers: every difference is a fault.

import type { Database } from '../../src/platform/database/database.ts';
import type { Arrival } from './flaky-mail-server.ts';

/**
 * A sender looks at the voucher, writes the mail and then connects. If the voucher is revoked in between, the
 * connection begins after the revocation. On a busy machine that takes up to this long.
 */
const BETWEEN_LOOK_AND_CONNECTION_MS = 1_000;

/** By guest: the name of the voucher, and the part of the address before the @. */
export interface Expected {
  /** The codes that were given to the callers. */
  acknowledged: Map<string, string>;
  /** When the caller got the answer to the revocation. */
  revokedAtMs: Map<string, number>;
}

export interface MailAudit {
  vouchers: number;
  revoked: number;
  cancelled: number;
  faults: string[];
}

export async function auditMails(
  { read }: Pick<Database, 'read'>,
  arrivals: Arrival[],
  { acknowledged, revokedAtMs }: Expected,
): Promise<MailAudit> {
  const vouchers = new Map(
    (await read.selectFrom('vouchers').select(['id', 'name', 'code', 'revoked_at_s']).execute()).map(
      ({ name, ...voucher }) => [name.replace(/^.*_/, ''), voucher],
    ),
  );
  const messages = await read
    .selectFrom('messages')
    .select(['voucher_id', 'event_id', 'state'])
    .where('channel', '=', 'mail')
    .where('kind', '=', 'voucher')
    .execute();
  const messageOf = new Map(messages.map((message) => [message.voucher_id, message]));
  const arrivalsOf = Map.groupBy(arrivals, ({ address }) => address.replace(/@.*/, ''));
  const faults: string[] = [];

  for (const [guest, code] of acknowledged)
    if (vouchers.get(guest)?.code !== code) faults.push(`${guest}: the voucher that was promised is missing`);
  for (const [guest, { id, revoked_at_s }] of vouchers) {
    const hasArrived = arrivalsOf.has(guest);
    const state = messageOf.get(id)?.state;
    if (revoked_at_s === null && !hasArrived) faults.push(`${guest}: the mail never arrived (${state})`);
    // A mail may arrive while its voucher is revoked, and be cancelled before it is repeated.
    const isRight = state === 'done' ? hasArrived : state === 'cancelled' && revoked_at_s !== null;
    if (!isRight) faults.push(`${guest}: the mail is ${state}, but ${hasArrived ? '' : 'not '}there`);
  }
  for (const [guest, mails] of arrivalsOf) {
    const voucher = vouchers.get(guest);
    if (!voucher) faults.push(`${guest}: a mail without a voucher arrived`);
    if (mails.some(({ code }) => code !== voucher?.code)) faults.push(`${guest}: the mail has another code`);
    if (new Set(mails.map(({ messageId }) => messageId)).size > 1)
      faults.push(`${guest}: the mail was repeated with another Message-ID`);
    const latestMs = (revokedAtMs.get(guest) ?? Number.POSITIVE_INFINITY) + BETWEEN_LOOK_AND_CONNECTION_MS;
    for (const { connectedAtMs } of mails)
      if (connectedAtMs > latestMs)
        faults.push(`${guest}: a mail was sent ${connectedAtMs - latestMs} ms after the voucher had ended`);
  }
  if (messages.length !== vouchers.size)
    faults.push(`${messages.length} mails for ${vouchers.size} vouchers`);
  return {
    vouchers: vouchers.size,
    revoked: [...vouchers.values()].filter(({ revoked_at_s }) => revoked_at_s !== null).length,
    cancelled: messages.filter(({ state }) => state === 'cancelled').length,
    faults,
  };
}
