// Links with which a user sets a password: as an invitation for a new user, or to replace a forgotten password. A link
// works once: for two days if an administrator made it, for half an hour if somebody asked for it on the login page.
// Only the hash of its random token is stored. Changing the password or the e-mail address voids all links of the user.

import { hashToken, makeToken } from '../../platform/secrets/token.ts';
import type { Language } from '../../platform/text/language.ts';
import type { Clock } from '../../platform/time/clock.ts';
import { fail, ok, type Result } from '../../platform/values/result.ts';
import { serviceActor, userActor } from '../audit/actor.ts';
import type { AuditContext } from '../audit/audit-log.ts';
import type { UserId } from '../ids.ts';
import { MAX_EMAIL_LENGTH } from './email-address.ts';
import { hashPassword, makeUnusableHash } from './password.ts';
import type { NewUser, User, UserWithHash } from './user.ts';
import { findPasswordIssue, type PasswordIssue } from './weak-password.ts';

/** The path of the links. The token follows it. */
export const INVITATION_PATH = '/invitation';

const INVITATION_MS = 48 * 60 * 60_000;
export const RESET_MS = 30 * 60_000;

export interface NewInvitation {
  tokenHash: string;
  expiresAtMs: number;
  /** The mail with the link; absent if no mail is wanted. */
  mail?: LinkMail;
}

export interface LinkMail {
  token: string;
  language: Language;
}

export interface PendingInvitation {
  expiresAtMs: number;
  /** True if the user has never set a password. */
  isFirst: boolean;
}

export interface InvitationStore {
  /** Adds the user together with the invitation. Undefined if the e-mail address is taken. */
  addUser(user: NewUser, invitation: NewInvitation, audit: AuditContext): Promise<Issued | undefined>;
  /** Stores a link in place of the administrator's earlier one, if any. Undefined if the user is deactivated. */
  issue(
    user: Pick<User, 'id' | 'email'>,
    invitation: NewInvitation,
    audit: AuditContext,
  ): Promise<Issued | undefined>;
  /**
   * Stores a further link, for somebody who typed an address on the login page. Does nothing unless an active user with
   * a password has the address, e-mail is set up, and the user got fewer than `MAX_RESETS` such mails within
   * `RESET_MS`.
   */
  issueReset(
    typed: string,
    invitation: NewInvitation & { mail: LinkMail },
    audit: AuditContext,
  ): Promise<void>;
  /** Undefined if the link was used, replaced, or voided by another change of the password. */
  find(tokenHash: string): Promise<{ user: User; expiresAtMs: number } | undefined>;
  /**
   * Uses up the link, sets the password and ends the user's sessions, in one transaction. False if the link is void.
   */
  accept(tokenHash: string, change: { passwordHash: string; audit: AuditContext }): Promise<boolean>;
  /** Links of administrators that nobody has used, including expired ones. */
  list(): Promise<Map<UserId, PendingInvitation>>;
}

/**
 * For as long as a link works: whoever gets no further link has one that still works. Otherwise others could keep a
 * user from getting links.
 */
export const MAX_RESETS = 3;

export interface Issued {
  userId: UserId;
  /** False if no mail was wanted, or if none can be sent. */
  isMailed: boolean;
}

/** The token is in the link that the administrator passes on. */
export interface IssuedLink {
  token: string;
  expiresAtMs: number;
  isMailed: boolean;
}

export interface Invite {
  /** @param mailIn the language of the mail with the link; undefined if no mail is wanted */
  newUser(
    user: Omit<NewUser, 'passwordHash' | 'createdAtMs'>,
    audit: AuditContext,
    mailIn?: Language,
  ): Promise<IssuedLink | undefined>;
  existingUser(
    user: Pick<User, 'id' | 'email'>,
    audit: AuditContext,
    mailIn?: Language,
  ): Promise<IssuedLink | undefined>;
}

export function makeInvite({ invitations }: { invitations: InvitationStore }): Invite {
  function makeLink(atMs: number, mailIn: Language | undefined) {
    const { token, tokenHash } = makeToken();
    const expiresAtMs = atMs + INVITATION_MS;
    const mail = mailIn && { mail: { token, language: mailIn } };
    return { link: { token, expiresAtMs }, invitation: { tokenHash, expiresAtMs, ...mail } };
  }

  return {
    async newUser(user, audit, mailIn) {
      const { link, invitation } = makeLink(audit.atMs, mailIn);
      const added = { ...user, passwordHash: makeUnusableHash(), createdAtMs: audit.atMs };
      const issued = await invitations.addUser(added, invitation, audit);
      return issued && { ...link, isMailed: issued.isMailed };
    },
    async existingUser(user, audit, mailIn) {
      const { link, invitation } = makeLink(audit.atMs, mailIn);
      const issued = await invitations.issue(user, invitation, audit);
      return issued && { ...link, isMailed: issued.isMailed };
    },
  };
}

/** Sends a link to the user with this address, if there is one. Tells nobody whether there is. */
export type RequestReset = (input: { email: string; language: Language; ip: string }) => Promise<void>;

export function makeRequestReset({
  invitations,
  clock,
  pause,
}: {
  invitations: Pick<InvitationStore, 'issueReset'>;
  clock: Clock;
  /** Waits for a short, random time. */
  pause: () => Promise<unknown>;
}): RequestReset {
  return async function requestReset({ email: typed, language, ip }) {
    // The response is sent meanwhile. So neither its duration nor that of the next one depends on the account.
    await pause();
    const email = typed.trim().slice(0, MAX_EMAIL_LENGTH).toWellFormed();
    const { token, tokenHash } = makeToken();
    const atMs = clock.nowMs();
    const invitation = { tokenHash, expiresAtMs: atMs + RESET_MS, mail: { token, language } };
    await invitations.issueReset(email, invitation, { actor: serviceActor('Unknown'), atMs, ip });
  };
}

/** A link that ends too far in the future is void: it was made before a wrong clock was set back. */
export function isOpen({ expiresAtMs }: { expiresAtMs: number }, nowMs: number): boolean {
  return nowMs < expiresAtMs && expiresAtMs <= nowMs + INVITATION_MS;
}

export type AcceptProblem = { kind: 'void' } | { kind: 'weak'; user: User; issue: PasswordIssue };

export interface AcceptInvitation {
  /** The user whose password the link sets; undefined if the link is void. Changes nothing. */
  find(token: string): Promise<User | undefined>;
  /** Returns the user with the hash of the new password. */
  accept(
    token: string,
    input: { password: string; title: string; ip: string },
  ): Promise<Result<UserWithHash, AcceptProblem>>;
}

export function makeAcceptInvitation({
  invitations,
  clock,
}: {
  invitations: Pick<InvitationStore, 'find' | 'accept'>;
  clock: Clock;
}): AcceptInvitation {
  async function find(token: string): Promise<User | undefined> {
    const found = await invitations.find(hashToken(token));
    return found && isOpen(found, clock.nowMs()) ? found.user : undefined;
  }

  return {
    find,
    async accept(token, { password, title, ip }) {
      const user = await find(token);
      if (!user) return fail({ kind: 'void' });
      const issue = findPasswordIssue(password, { ...user, title });
      if (issue) return fail({ kind: 'weak', user, issue });
      const audit = { actor: userActor(user), atMs: clock.nowMs(), ip };
      const passwordHash = await hashPassword(password);
      const isAccepted = await invitations.accept(hashToken(token), { passwordHash, audit });
      return isAccepted ? ok({ ...user, passwordHash }) : fail({ kind: 'void' });
    },
  };
}
