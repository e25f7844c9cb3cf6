// The stores for second factors and pending logins. Each method that writes is one transaction. Secrets are sealed
// before they are written, recovery codes arrive as hashes, and the audit log names only the user.

import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import type { SealedPlace } from '../../platform/secrets/sealed-columns.ts';
import { userDetails } from '../audit/audit-details.ts';
import { audited } from '../audit/audited-store.ts';
import { asUserId, type UserId } from '../ids.ts';
import type { PendingLoginStore } from '../sessions/pending-login.ts';
import { type AccountChange, makeNotice } from './account-mail.ts';
import { type AccountMails, insertAccountMail } from './account-mail-store.ts';
import type { SecondFactorStore } from './second-factor.ts';
import {
  countCodes,
  deleteCode,
  deleteCodes,
  deleteFactor,
  deleteOldPendingLogins,
  deletePendingLogin,
  holdFactor,
  insertCodes,
  insertFactor,
  insertPendingLogin,
  raiseLastStep,
  selectFactor,
  selectFactorOwners,
  selectPendingLogin,
} from './second-factor-queries.ts';
import type { User } from './user.ts';
import { holdUserWithHash } from './user-queries.ts';

const placeOf = (userId: UserId): SealedPlace => ({
  table: 'second_factors',
  column: 'sealed_secret',
  row: userId,
});

export function makeSecondFactorStore(
  database: Database,
  seal: Seal,
  accountMails: AccountMails,
): SecondFactorStore {
  /** Makes the change, and queues the notice about it if `apply` returns true. */
  function withNotice(
    { email }: Pick<User, 'email'>,
    { change, ...audit }: { change: AccountChange; atMs: number },
    apply: (transaction: Handle) => Promise<boolean>,
  ) {
    return async (transaction: Handle) => {
      const notice = await accountMails.seal(transaction, makeNotice(email, change, audit));
      if (!(await apply(transaction))) return false;
      await insertAccountMail(transaction, notice);
      return true;
    };
  }

  return {
    has: async (userId) => (await selectFactor(database.read, userId)) !== undefined,
    async find(userId) {
      const row = await selectFactor(database.read, userId);
      if (!row) return undefined;
      return { createdAtMs: row.createdAtMs, codesLeft: await countCodes(database.read, userId) };
    },
    async secretOf(userId) {
      const row = await selectFactor(database.read, userId);
      if (!row) return undefined;
      const { sealedSecret, lastStep, createdAtMs } = row;
      return { secret: seal.open(sealedSecret, placeOf(userId)), lastStep, createdAtMs };
    },
    listOwners: () => selectFactorOwners(database.read),
    turnOn: (user, { secret, step, codeHashes }, audit) =>
      audited(
        database,
        { ...audit, action: 'user.second-factor-on', details: userDetails(user) },
        withNotice(user, { change: 'second-factor-on', ...audit }, async (transaction) => {
          const sealedSecret = await seal.seal(transaction, secret, placeOf(user.id));
          const row = { sealedSecret, lastStep: step, createdAtMs: audit.atMs };
          if (!(await insertFactor(transaction, user.id, row))) return false;
          await insertCodes(transaction, user.id, codeHashes);
          return true;
        }),
      ),
    useStep: (userId, step) => database.write((transaction) => raiseLastStep(transaction, userId, step)),
    useRecoveryCode: (user, codeHash, audit) =>
      audited(
        database,
        { ...audit, action: 'user.recovery-code-used', details: userDetails(user) },
        (transaction) => deleteCode(transaction, user.id, codeHash),
      ),
    replaceRecoveryCodes: (user, codeHashes, audit) =>
      audited(
        database,
        { ...audit, action: 'user.recovery-codes-made', details: userDetails(user) },
        withNotice(user, { change: 'recovery-codes', ...audit }, async (transaction) => {
          if (!(await holdFactor(transaction, user.id))) return false;
          await deleteCodes(transaction, user.id);
          await insertCodes(transaction, user.id, codeHashes);
          return true;
        }),
      ),
    turnOff: (user, audit) =>
      audited(
        database,
        { ...audit, action: 'user.second-factor-off', details: userDetails(user) },
        withNotice(user, { change: 'second-factor-off', ...audit }, (transaction) =>
          deleteFactor(transaction, user.id),
        ),
      ),
    remove: (user, audit) =>
      audited(
        database,
        { ...audit, action: 'user.second-factor-removed', details: userDetails(user) },
        withNotice(user, { change: 'second-factor-off', ...audit }, (transaction) =>
          deleteFactor(transaction, user.id),
        ),
      ),
    sealOffer: ({ userId, secret }) => seal.text.seal(`offer ${userId} ${secret}`),
    openOffer(sealed) {
      const [, userId, secret] = /^offer (\d+) ([A-Z2-7]+)$/.exec(seal.text.open(sealed) ?? '') ?? [];
      return userId && secret ? { userId: asUserId(Number(userId)), secret } : undefined;
    },
  };
}

export function makePendingLoginStore(database: Database): PendingLoginStore {
  return {
    add: (pending, passwordHash) =>
      database.write(async (transaction) => {
        if (!(await holdUserWithHash(transaction, pending.userId, passwordHash))) return false;
        await insertPendingLogin(transaction, pending);
        return true;
      }),
    find: (tokenHash) => selectPendingLogin(database.read, tokenHash),
    end: (tokenHash) => database.write((transaction) => deletePendingLogin(transaction, tokenHash)),
    forgetOld: (beforeMs) => database.write((transaction) => deleteOldPendingLogins(transaction, beforeMs)),
  };
}
