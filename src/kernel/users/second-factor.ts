// The second factor: who needs one, and its store.

import type { AuditContext } from '../audit/audit-log.ts';
import type { UserId } from '../ids.ts';
import type { Settings } from '../settings/settings.ts';
import type { User } from './user.ts';

type AuditedUser = Pick<User, 'id' | 'email'>;

export interface NewSecondFactor {
  secret: string;
  /** The time step of the code that confirmed the second factor; this step counts as used. */
  step: number;
  codeHashes: string[];
}

/** A secret that was shown to a user and is not confirmed yet. */
export interface Offer {
  userId: UserId;
  secret: string;
}

export interface KnownSecret {
  secret: string;
  lastStep: number;
  createdAtMs: number;
}

export interface SecondFactorStore {
  has(userId: UserId): Promise<boolean>;
  find(userId: UserId): Promise<{ createdAtMs: number; codesLeft: number } | undefined>;
  secretOf(userId: UserId): Promise<KnownSecret | undefined>;
  listOwners(): Promise<Set<UserId>>;
  /** False if the user already has a second factor. */
  turnOn(user: AuditedUser, factor: NewSecondFactor, audit: AuditContext): Promise<boolean>;
  /** False if this step or a later one was already used. Of two concurrent calls, only one returns true. */
  useStep(userId: UserId, step: number): Promise<boolean>;
  /** False if the user has no such unused code. */
  useRecoveryCode(user: AuditedUser, codeHash: string, audit: AuditContext): Promise<boolean>;
  /** Invalidates the previous codes. False if the user has no second factor. */
  replaceRecoveryCodes(user: AuditedUser, codeHashes: string[], audit: AuditContext): Promise<boolean>;
  /** Deletes the second factor and its recovery codes. False if there was no second factor. */
  turnOff(user: AuditedUser, audit: AuditContext): Promise<boolean>;
  /** As `turnOff`, but called by someone other than the user, and audited as a different action. */
  remove(user: AuditedUser, audit: AuditContext): Promise<boolean>;
  /** Seals an offer for its way through the user's browser, so that it cannot be changed there. */
  sealOffer(offer: Offer): string;
  /** Undefined if the text is not an offer sealed by this installation. */
  openOffer(sealed: string): Offer | undefined;
}

export function isSecondFactorRequired(
  { secondFactorFor }: Pick<Settings, 'secondFactorFor'>,
  { role }: Pick<User, 'role'>,
): boolean {
  return secondFactorFor === 'everyone' || (secondFactorFor === 'admins' && role === 'admin');
}
