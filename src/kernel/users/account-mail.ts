// Mails to users about their accounts, and about backups that fail. The feature mail sends them.

import type { Language } from '../../platform/text/language.ts';

/** Mails with a link to set a password. */
export const LINK_MAIL_KINDS = ['invitation', 'password-reset'] as const;
export type LinkMailKind = (typeof LINK_MAIL_KINDS)[number];

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
  | { kind: 'backup-failed'; problem: string };

export interface NewAccountMail<Mail = AccountMail> {
  to: string;
  mail: Mail;
  /** Absent for the language of the installation. */
  language?: Language;
  /** When the link of the mail ends. Then the mail is no longer sent. */
  expiresAtMs?: number;
  /** The name under which mails are counted, if their number per hour is limited. */
  countedAs?: string;
  occurredAtMs: number;
}

/**
 * The notice about a change, for the owner of the account. It has no link, so that nobody learns to trust such links.
 */
export function makeNotice(to: string, change: AccountChange, { atMs }: { atMs: number }): NewAccountMail {
  return { to, mail: { kind: 'account-changed', change }, occurredAtMs: atMs };
}
