// What an administrator decides about single sign-on, and the records of users who come from the provider. Also
// defines the stores.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { UserId } from '../../kernel/ids.ts';
import type { User } from '../../kernel/users/user.ts';
import type { Result } from '../../platform/values/result.ts';
import type { LoginSecrets, ProviderCredentials } from './identity-provider.ts';
import type { Grant, Rule } from './rules.ts';

export interface SingleSignOn {
  /** Null: there is no single sign-on. */
  provider: ProviderCredentials | null;
  /** Whether the provider comes from the environment, so that it cannot be changed in the browser. */
  isFromEnvironment: boolean;
  /** The name of the provider on the login page. */
  label: string;
  rules: Rule[];
  /** Whether the login page shows the password form only at `/login?local`. */
  hidesPasswordForm: boolean;
  /** Whether all e-mail addresses of the provider count as verified. */
  trustsEmail: boolean;
}

export type SingleSignOnChange = Partial<Omit<SingleSignOn, 'isFromEnvironment'>>;

export const MAX_LABEL_LENGTH = 40;

export interface SingleSignOnStore {
  read(): Promise<SingleSignOn>;
  /**
   * Stores the change. If the provider is removed or replaced, or if its e-mail addresses no longer count as verified,
   * this also ends all sessions that began at the provider.
   */
  change(change: SingleSignOnChange, audit: AuditContext): Promise<void>;
  /** False, without any change, if there are already `MAX_RULES` rules. */
  addRule(rule: Rule, audit: AuditContext): Promise<boolean>;
  /**
   * Users whom the rule matched keep only the rights that the remaining matching rules give. If no matching rule
   * remains, they lose the rights that rules gave, and their sessions that began at the provider end. False if the rule
   * does not exist.
   */
  removeRule(id: string, audit: AuditContext): Promise<boolean>;
  /** Seals the data of a login for a cookie, which the browser keeps until it returns from the provider. */
  sealAttempt(attempt: LoginAttempt): string;
  /** Undefined if the text was not sealed by this installation. */
  openAttempt(sealed: string): LoginAttempt | undefined;
}

export interface LoginAttempt {
  secrets: LoginSecrets;
  /** The provider that the browser was sent to. A response for another provider is refused. */
  issuer: string;
  clientId: string;
  redirectUri: string;
  /** The page to show afterwards. */
  next: string;
  /** Whether the user signs in again to confirm a sensitive change. */
  isAgain: boolean;
  /** An administrator who only tests the settings; null for a login. */
  testedBy: UserId | null;
  beganAtMs: number;
}

export interface NewIdentity {
  issuer: string;
  subject: string;
  /** In the form that `toEmailAddress` returns; undefined if there is no verified address that can be used. */
  verifiedEmail: string | undefined;
  /** The e-mail address as the provider sends it, shown to administrators. */
  shownEmail: string;
  name: string;
}

export type IdentityProblem = {
  kind:
    | 'email-unverified'
    /**
     * The e-mail address is verified, but `toEmailAddress` refuses it, or a user already has it in a form that only
     * earlier releases stored.
     */
    | 'email-unusable'
    | 'account-disabled'
    | 'last-admin';
};

export interface Identity {
  id: number;
  issuer: string;
  subject: string;
  /** The e-mail address that the provider sent at the last login. */
  email: string;
  name: string;
  seenAtMs: number;
}

export interface IdentityStore {
  /**
   * Finds the user of the identity. If there is none, links the identity to the user who has its verified e-mail
   * address, or adds a user. Then gives the user the role and the sites of the grant, and stores the rights that the
   * user had before the first grant. Everything is one transaction.
   */
  admit(
    identity: NewIdentity,
    grant: Grant,
    at: { atMs: number; ip: string },
  ): Promise<Result<User, IdentityProblem>>;
  /** Gives a signed-in user the rights of the grant. Fails if the user no longer has this identity. */
  renew(
    userId: UserId,
    identity: NewIdentity,
    grant: Grant,
    at: { atMs: number; ip: string },
  ): Promise<Result<User, { kind: 'not-linked' | 'last-admin' }>>;
  /**
   * Takes back the rights that rules gave to the user with this identity, ends all sessions of the user, and writes an
   * audit entry. The user keeps at most the rights from before the first grant. The last administrator keeps the role.
   */
  refuse(identity: NewIdentity, at: { atMs: number; ip: string }): Promise<void>;
  /** Identities that matched a rule, but have no user because their e-mail address is not verified or not usable. */
  listWaiting(): Promise<Identity[]>;
  listOf(userId: UserId): Promise<Identity[]>;
  /** False if the identity is no longer waiting for a user, or if the user does not exist. */
  link(identityId: number, userId: UserId, audit: AuditContext): Promise<boolean>;
  /** Deletes the user's identities and sessions and takes back the rights from rules. False if there is no identity. */
  unlink(user: User, audit: AuditContext): Promise<boolean>;
}
