// Mails to users: about their accounts, about backups that fail, and about guests who ask for vouchers. What concerns one
// user is stored sealed, and deleted once the mail is finished.

import * as v from 'valibot';
import type { Language } from '../../platform/text/language.ts';
import { isMailAddress } from './address.ts';

/** Mails with a link to set a password. */
export const LINK_MAIL_KINDS = ['invitation', 'password-reset'] as const;
export const ACCOUNT_MAIL_KINDS = [
  ...LINK_MAIL_KINDS,
  'account-changed',
  'backup-failed',
  'guest-request',
] as const;
export type LinkMailKind = (typeof LINK_MAIL_KINDS)[number];
export type AccountMailKind = (typeof ACCOUNT_MAIL_KINDS)[number];

/** What changed in an account. The notice about a changed address is sent to the previous address. */
export const ACCOUNT_CHANGES = [
  'password',
  'second-factor-on',
  'second-factor-off',
  'recovery-codes',
  'email',
] as const;
export type AccountChange = (typeof ACCOUNT_CHANGES)[number];

/** The token is the secret of the link with which the user sets a password. */
export type AccountMail =
  | { kind: LinkMailKind; token: string }
  | { kind: 'account-changed'; change: AccountChange }
  | { kind: 'backup-failed'; problem: string }
  /** `site`: the name of the site. What the guest has typed is not sent. */
  | { kind: 'guest-request'; site: string };

export interface NewAccountMail {
  to: string;
  mail: AccountMail;
  /** Absent for the language of the installation. */
  language?: Language;
  /** When the link of the mail ends. Then the mail is no longer sent. */
  expiresAtMs?: number;
  /** The name under which mails are counted, if their number per hour is limited. */
  countedAs?: string;
  occurredAtMs: number;
}

/** The notice about a change, for the owner of the account. It has no link, so that nobody learns to trust such links. */
export function makeNotice(to: string, change: AccountChange, { atMs }: { atMs: number }): NewAccountMail {
  return { to, mail: { kind: 'account-changed', change }, occurredAtMs: atMs };
}

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

export type SealedAccountMail = AccountMail & { address: string };

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
