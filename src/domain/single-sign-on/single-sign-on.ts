// What an administrator decides about single sign-on, and the records of users who come from the provider. Also
// defines the stores.

import type { AuditContext } from '../audit/audit-log.ts';
import type { UserId } from '../ids.ts';
import type { Result } from '../result.ts';
import type { SessionCheck, WebSession } from '../sessions/web-session.ts';
import type { User } from '../users/user.ts';
import type { LoginSecrets, ProviderCredentials, SessionTokens } from './identity-provider.ts';
import type { Grant, Rule } from './rules.ts';

export interface SingleSignOn {
  /** Null: there is no single sign-on. */
  provider: ProviderCredentials | null;
  /** The provider comes from the environment and cannot be changed in the browser. */
  isFromEnvironment: boolean;
  /** The name of the provider on the login page. */
  label: string;
  rules: Rule[];
  /** The login page shows the password form only at `/login?local`. */
  hidesPasswordForm: boolean;
  /** E-mail addresses of the provider count as verified. */
  trustsEmail: boolean;
}

export type SingleSignOnChange = Partial<Omit<SingleSignOn, 'isFromEnvironment'>>;

export const MAX_LABEL_LENGTH = 40;

export interface SingleSignOnStore {
  read(): Promise<SingleSignOn>;
  /**
   * Also ends all sessions that began at the provider, if it is removed or replaced, or if its e-mail addresses no longer
   * count as verified.
   */
  change(change: SingleSignOnChange, audit: AuditContext): Promise<void>;
  /** False if there are too many rules. */
  addRule(rule: Rule, audit: AuditContext): Promise<boolean>;
  /**
   * Users whom the rule matched get what the remaining rules give. If none of the rules that matched them remains, they
   * lose what rules gave and their sessions of the provider. False if there is no such rule.
   */
  removeRule(id: string, audit: AuditContext): Promise<boolean>;
  /** A login on its way to the provider and back, sealed for a cookie. */
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
  /** The user confirms a sensitive change. */
  isAgain: boolean;
  /** An administrator who only tests the settings; null for a login. */
  testedBy: UserId | null;
  beganAtMs: number;
}

export interface NewIdentity {
  issuer: string;
  subject: string;
  /** In the form of `toEmailAddress`; undefined if there is no verified address that can be used. */
  verifiedEmail: string | undefined;
  /** As the provider says it, for the administrator. */
  shownEmail: string;
  name: string;
}

export type IdentityProblem = {
  kind:
    | 'email-unverified'
    /** Verified, but not plain ASCII, or a user of an earlier release has it in another form. */
    | 'email-unusable'
    | 'account-disabled'
    | 'last-admin';
};

export interface Identity {
  id: number;
  issuer: string;
  subject: string;
  /** As the provider said it at the last login. */
  email: string;
  name: string;
  seenAtMs: number;
}

export interface IdentityStore {
  /**
   * Finds the user of an identity, or links the user with the verified e-mail address, or adds a user. Then writes the
   * role and the sites of the grant to the user, and keeps those that the user had before. Everything is one transaction.
   */
  admit(
    identity: NewIdentity,
    grant: Grant,
    at: { atMs: number; ip: string },
  ): Promise<Result<User, IdentityProblem>>;
  /** Writes the grant to a user who has this identity and is signed in. */
  renew(
    userId: UserId,
    identity: NewIdentity,
    grant: Grant,
    at: { atMs: number; ip: string },
  ): Promise<Result<User, { kind: 'not-linked' | 'last-admin' }>>;
  /**
   * Takes from the user with this identity what rules gave, ends all sessions of the user, and writes an audit entry. The
   * user keeps at most the role and the sites from before; the last administrator keeps the role.
   */
  refuse(identity: NewIdentity, at: { atMs: number; ip: string }): Promise<void>;
  /** Identities that matched a rule, but have no user because their e-mail address is not verified or not usable. */
  listWaiting(): Promise<Identity[]>;
  listOf(userId: UserId): Promise<Identity[]>;
  /** False if the identity does not wait any more or the user does not exist. */
  link(identityId: number, userId: UserId, audit: AuditContext): Promise<boolean>;
  /** Forgets all identities of the user and ends all sessions of the user. False if there was none. */
  unlink(user: User, audit: AuditContext): Promise<boolean>;
}

/** Sessions of users whom the identity provider or a trusted proxy has authenticated. They need no second factor. */
export interface ExternalSessionStore {
  /** Stores the session itself too. A session of the provider has an ID token, with which the user is logged out there. */
  add(session: WebSession, tokens?: { idToken: string; refreshToken?: string | undefined }): Promise<void>;
  /** Undefined without an ID token, and if it cannot be opened. */
  idTokenOf(tokenHash: string): Promise<string | undefined>;
  /**
   * Postpones the next check to `nextAtMs` and returns the tokens, null if they cannot be opened. Undefined if the check is
   * not due: of several requests and instances, only one gets the tokens.
   */
  claimCheck(
    tokenHash: string,
    times: { nowMs: number; nextAtMs: number },
  ): Promise<SessionTokens | null | undefined>;
  replaceRefreshToken(tokenHash: string, refreshToken: string): Promise<void>;
  noteChecked(tokenHash: string, check: SessionCheck): Promise<void>;
  /** For any session. Here, because the provider's tokens are sealed for the token hash. False if there is no such session. */
  replaceToken(fromHash: string, toHash: string): Promise<boolean>;
}
