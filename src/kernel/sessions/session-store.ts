// The stores for web sessions, failed logins and one-time forms. Each method that writes is one transaction.

import type { Database, Handle } from '../../platform/database/database.ts';
import { networkOf } from '../../platform/network/ip.ts';
import { serviceActor, userActor } from '../audit/actor.ts';
import { userDetails } from '../audit/audit-details.ts';
import { insertAuditEntry } from '../audit/audit-queries.ts';
import { audited } from '../audit/audited-store.ts';
import { type LoginThrottleStore, mayContribute, type ThrottleKind } from '../users/login-throttle.ts';
import type { User } from '../users/user.ts';
import { holdUserWithHash } from '../users/user-queries.ts';
import type { LoginEntry, RecordLogin } from './begin-session.ts';
import { deleteOldOneTimeForms, deleteOneTimeForm, insertOneTimeForm } from './one-time-form-queries.ts';
import type { OneTimeFormStore } from './one-time-forms.ts';
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
  updateAuthenticated,
  updateSeen,
} from './session-queries.ts';
import type { WebSessionStore } from './web-session.ts';

export function makeWebSessionStore(database: Database): WebSessionStore {
  return {
    add: (session, passwordHash) =>
      database.write(async (transaction) => {
        if (!(await holdUserWithHash(transaction, session.userId, passwordHash))) return false;
        await insertWebSession(transaction, session);
        return true;
      }),
    find: (tokenHash) => selectWebSession(database.read, tokenHash),
    noteActivity: (tokenHash, seen) =>
      database.write((transaction) => updateSeen(transaction, tokenHash, seen)),
    noteAuthenticated: (tokenHash, atMs) =>
      database.write((transaction) => updateAuthenticated(transaction, tokenHash, atMs)),
    list: (userId) => selectWebSessions(database.read, userId),
    end: (userId, tokenHash) =>
      database.write((transaction) => deleteWebSession(transaction, userId, tokenHash)),
    endOthers: (userId, exceptTokenHash) =>
      database.write(async (transaction) => {
        await deleteOtherWebSessions(transaction, userId, exceptTokenHash);
      }),
    endAudited: ({ id, email }, which, audit) =>
      audited(
        database,
        { ...audit, action: 'user.session-ended', details: userDetails({ id, email }) },
        (transaction) =>
          'except' in which
            ? deleteOtherWebSessions(transaction, id, which.except)
            : deleteWebSession(transaction, id, which.tokenHash),
      ),
    forgetOld: (nowMs) => database.write((transaction) => deleteOldWebSessions(transaction, nowMs)),
  };
}

/** The names under which failures are counted. Earlier releases, which may run at the same time, use the same names. */
const STORED_KINDS: Record<ThrottleKind, string> = {
  account: 'account',
  ip: 'address',
  'pending-login': 'half-sign-in',
  device: 'device',
  'device-code': 'device-code',
  'account-network': 'account-network',
  'account-prefix': 'account-prefix',
  'account-total': 'account-total',
};

export function makeLoginThrottleStore(database: Database): LoginThrottleStore {
  const name = (throttled: ThrottleKind, subject: string) =>
    `${STORED_KINDS[throttled]} ${throttled === 'ip' ? networkOf(subject, 64) : subject}`;
  const raise = (transaction: Handle, [throttled, subject]: readonly [ThrottleKind, string], atMs: number) =>
    raiseFailures(transaction, name(throttled, subject), {
      atMs,
      isFixedHour: throttled === 'account-total',
    });
  return {
    find: (throttled, subject) => selectFailures(database.read, name(throttled, subject)),
    noteFailure: (throttled, subject, atMs) =>
      database.write(async (transaction) => {
        await raise(transaction, [throttled, subject], atMs);
      }),
    noteFailedLogin: ({ subjects, totalOf, user, action, ip, atMs }) =>
      database.write(async (transaction) => {
        let counts = totalOf !== undefined;
        for (const subject of subjects)
          counts = mayContribute(subject[0], await raise(transaction, subject, atMs)) && counts;
        if (counts && totalOf !== undefined) await raise(transaction, ['account-total', totalOf], atMs);
        if (user) await insertLoginEntry(transaction, user, { action, ip, atMs });
      }),
    takeAttempt: (throttled, subject, count) =>
      database.write((transaction) => raiseSeenFailures(transaction, name(throttled, subject), count)),
    forget: (throttled, subject) =>
      database.write((transaction) => deleteFailures(transaction, name(throttled, subject))),
    forgetOld: (beforeMs) => database.write((transaction) => deleteOldFailures(transaction, beforeMs)),
  };
}

export function makeOneTimeFormStore(database: Database): OneTimeFormStore {
  return {
    take: (id, atMs) => database.write((transaction) => insertOneTimeForm(transaction, id, atMs)),
    free: (id) => database.write((transaction) => deleteOneTimeForm(transaction, id)),
    forgetOld: (beforeMs) => database.write((transaction) => deleteOldOneTimeForms(transaction, beforeMs)),
  };
}

export function makeRecordLogin(database: Database): RecordLogin {
  return (user, entry) => database.write((transaction) => insertLoginEntry(transaction, user, entry));
}

function insertLoginEntry(transaction: Handle, user: User, { action, ip, atMs }: LoginEntry): Promise<void> {
  const isUnknown = action === 'user.sign-in-failed' || action === 'user.code-wrong';
  const actor = isUnknown ? serviceActor('Unknown') : userActor(user);
  return insertAuditEntry(transaction, { atMs, actor, action, details: userDetails(user), ip });
}
