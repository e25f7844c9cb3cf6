// The domain's stores around signing in on a database: each method is one transaction of queries.

import { randomUUID } from 'node:crypto';
import { toWholeSeconds } from '../domain/clock.ts';
import type { FirstAdminStore } from '../domain/users/first-admin.ts';
import { type Guessed, type GuessStore, networkOf } from '../domain/users/guess-limit.ts';
import type { SentForms } from '../domain/users/sent-forms.ts';
import type { User } from '../domain/users/user.ts';
import type { WebSessionStore } from '../domain/users/web-session.ts';
import type { BatchStore } from '../domain/vouchers/batch.ts';
import type { RevocationStore } from '../domain/vouchers/revoke-voucher.ts';
import { insertAuditEntry, siteInAudit } from './audit-queries.ts';
import { insertBatch, markBatchEnded, selectBatch, selectOpenBatches } from './batch-queries.ts';
import type { Database } from './database.ts';
import { countRows, deleteSetting, selectSetting, upsertSetting } from './installation-queries.ts';
import { insertOutboxEvent } from './outbox-queries.ts';
import { markVoucherRevoked } from './revocation-queries.ts';
import { deleteOldSentForms, deleteSentForm, insertSentForm } from './sent-form-queries.ts';
import { raiseListVersion, selectSiteName } from './site-queries.ts';
import { insertUser } from './user-queries.ts';
import {
  deleteFailures,
  deleteOldFailures,
  deleteOldWebSessions,
  deleteOtherWebSessions,
  deleteWebSession,
  insertWebSession,
  raiseFailures,
  raiseSeenFailures,
  selectFailures,
  selectWebSession,
  selectWebSessions,
  updateSeen,
} from './web-session-queries.ts';

export function makeWebSessionStore(database: Database): WebSessionStore {
  return {
    add: (session) => database.write((transaction) => insertWebSession(transaction, session)),
    find: (tokenHash) => selectWebSession(database.read, tokenHash),
    noteVisit: (tokenHash, atMs) => database.write((transaction) => updateSeen(transaction, tokenHash, atMs)),
    list: (userId) => selectWebSessions(database.read, userId),
    end: (userId, tokenHash) =>
      database.write((transaction) => deleteWebSession(transaction, userId, tokenHash)),
    endOthers: (userId, exceptTokenHash) =>
      database.write((transaction) => deleteOtherWebSessions(transaction, userId, exceptTokenHash)),
    forgetOld: (limits) => database.write((transaction) => deleteOldWebSessions(transaction, limits)),
  };
}

export function makeGuessStore(database: Database): GuessStore {
  const name = (guessed: Guessed, subject: string) =>
    `${guessed} ${guessed === 'address' ? networkOf(subject, 64) : subject}`;
  return {
    find: (guessed, subject) => selectFailures(database.read, name(guessed, subject)),
    noteFailure: (guessed, subject, atMs) =>
      database.write((transaction) => raiseFailures(transaction, name(guessed, subject), atMs)),
    takeTry: (guessed, subject, count) =>
      database.write((transaction) => raiseSeenFailures(transaction, name(guessed, subject), count)),
    forget: (guessed, subject) =>
      database.write((transaction) => deleteFailures(transaction, name(guessed, subject))),
    forgetOld: (beforeMs) => database.write((transaction) => deleteOldFailures(transaction, beforeMs)),
  };
}

export function makeSentForms(database: Database): SentForms {
  return {
    take: (id, atMs) => database.write((transaction) => insertSentForm(transaction, id, atMs)),
    free: (id) => database.write((transaction) => deleteSentForm(transaction, id)),
    forgetOld: (beforeMs) => database.write((transaction) => deleteOldSentForms(transaction, beforeMs)),
  };
}

/** Who signed in from where, in the audit log. */
export function makeNoteSignIn(database: Database) {
  return (user: User, address: string, atMs: number): Promise<void> =>
    database.write((transaction) =>
      insertAuditEntry(transaction, {
        atMs,
        actor: `Web: ${user.name}`,
        action: 'user.signed-in',
        subject: user.email,
        address,
      }),
    );
}

export function makeBatchStore(database: Database): BatchStore {
  return {
    begin: (batch) => database.write((transaction) => insertBatch(transaction, batch)),
    end: (id, { problem, cause, source, atMs, address }) =>
      database.write(async (transaction) => {
        const ended = await markBatchEnded(transaction, id, { problem, cause, atMs });
        if (!ended || ended.made === 0) return;
        const { made: voucherCount, siteId, siteName, name } = ended;
        const eventId = randomUUID();
        await insertOutboxEvent(transaction, { eventId, voucherCount, siteName, source, occurredAtMs: atMs });
        const count = voucherCount === 1 ? '' : `${voucherCount} vouchers, `;
        await insertAuditEntry(transaction, {
          atMs,
          actor: source,
          action: 'voucher.created',
          subject: `${siteInAudit(siteId, siteName)}: ${count}${name}`,
          ...(address !== undefined && { address }),
        });
      }, 'finishes'),
    find: (id) => selectBatch(database.read, id),
    listOpen: () => selectOpenBatches(database.read),
  };
}

export function makeRevocationStore(database: Database): RevocationStore {
  return {
    markRevoked: ({ id, siteId }, by) =>
      database.write(async (transaction) => {
        if (!(await markVoucherRevoked(transaction, id, toWholeSeconds(by.atMs)))) return false;
        await insertAuditEntry(transaction, {
          ...by,
          action: 'voucher.revoked',
          subject: `voucher ${id} of ${siteInAudit(siteId, await selectSiteName(transaction, siteId))}`,
        });
        await raiseListVersion(transaction, siteId);
        return true;
      }, 'finishes'),
  };
}

export function makeFirstAdminStore(database: Database): FirstAdminStore {
  return {
    isNobodyThere: async () => (await countRows(database.read, 'users')) === 0,
    keepToken: (tokenHash) =>
      database.write((transaction) => upsertSetting(transaction, 'setup_token_hash', tokenHash)),
    isToken: async (tokenHash) => (await selectSetting(database.read, 'setup_token_hash')) === tokenHash,
    add: (user, { tokenHash, address }) =>
      database.write(async (transaction) => {
        // Of two at the same time one gets to delete it.
        if (!(await deleteSetting(transaction, 'setup_token_hash', tokenHash))) return false;
        if ((await countRows(transaction, 'users')) > 0 || !(await insertUser(transaction, user)))
          return false;
        const { createdAtMs: atMs, email: subject } = user;
        await insertAuditEntry(transaction, {
          atMs,
          actor: 'Set-up',
          action: 'user.added',
          subject,
          address,
        });
        return true;
      }),
  };
}
