// Mails to users: about their accounts, about backups that fail, and about guests who ask for vouchers. What concerns
// one user is stored sealed, and deleted once the mail is finished.

import * as v from 'valibot';
import { ACCOUNT_CHANGES, type AccountMail, LINK_MAIL_KINDS } from '../../kernel/users/account-mail.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';

export const ACCOUNT_MAIL_KINDS = [
  ...LINK_MAIL_KINDS,
  'account-changed',
  'backup-failed',
  'guest-request',
] as const;
export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

/** `site`: the name of the site. What the guest has typed is not sent. */
export type UserMail = AccountMail | { kind: 'guest-request'; site: string };

/** What the message of such a mail stores sealed. */
const SEALED = v.intersect([
  v.object({ address: v.pipe(v.string(), v.check(isMailAddress)) }),
  v.variant('kind', [
    v.object({ kind: v.picklist(LINK_MAIL_KINDS), token: v.string() }),
    v.object({ kind: v.literal('account-changed'), change: v.picklist(ACCOUNT_CHANGES) }),
    v.object({ kind: v.literal('backup-failed'), problem: v.string() }),
    v.object({ kind: v.literal('guest-request'), site: v.string() }),
  ]),
]);

export type SealedAccountMail = UserMail & { address: string };

/** Undefined if the sealed facts could not be opened, or if a newer release wrote them. */
export function readAccountMail(sealed: unknown): SealedAccountMail | undefined {
  const read = v.safeParse(SEALED, sealed);
  return read.success ? read.output : undefined;
}

/** Cancels the mails whose link ended before they could be sent. */
export type CancelEndedLinks = (nowMs: number) => Promise<void>;

export function isAccountMailKind(kind: string): kind is AccountMailKind {
  return ACCOUNT_MAIL_KINDS.some((known) => known === kind);
}
