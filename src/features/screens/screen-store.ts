// The store for screens. Each method that writes is one transaction.

import { screenActor } from '../../kernel/audit/actor.ts';
import type { AuditAction, DetailsOf } from '../../kernel/audit/audit-details.ts';
import { screenDetails } from '../../kernel/audit/audit-details.ts';
import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import { insertAuditEntry } from '../../kernel/audit/audit-queries.ts';
import type { ScreenId } from '../../kernel/ids.ts';
import { selectSiteName } from '../../kernel/sites/site-queries.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import type { Seal } from '../../platform/secrets/seal.ts';
import { countVouchersOfScreens } from './place-queries.ts';
import type { ScreenSettings, ScreenStore } from './screen.ts';
import {
  deleteScreen,
  holdScreen,
  insertScreen,
  pairDevice,
  selectPairingHashes,
  selectScreen,
  selectScreenByCookie,
  selectScreenByToken,
  selectScreens,
  selectScreenToken,
  unpairDevice,
  updatePairing,
  updateScreen,
  updateScreenToken,
  updateSeen,
} from './screen-queries.ts';
import {
  deleteOldResults,
  deleteResult,
  insertResult,
  insertTerms,
  selectAcceptedTerms,
  selectTerms,
  selectTermsOfScreen,
  updateTerms,
} from './terms-queries.ts';

const SETTINGS = [
  'name',
  'offers',
  'profileIds',
  'asks',
  'printerId',
  'perMinute',
  'perDay',
  'idleMinutes',
] as const;

/** The actions whose details name only the screen. */
type PlainAction = {
  [Action in AuditAction]: ReturnType<typeof screenDetails> extends DetailsOf[Action] ? Action : never;
}[AuditAction] &
  `screen.${string}`;

export function makeScreenStore({ read, write, now }: Database, seal: Seal): ScreenStore {
  return {
    list: (siteIds) => selectScreens(read, siteIds),
    find: (id) => selectScreen(read, id),
    listPairingHashes: () => selectPairingHashes(read, now()),
    findByCookie: (cookieHash) => selectScreenByCookie(read, cookieHash),
    findByToken: (tokenHash) => selectScreenByToken(read, tokenHash),
    findToken: (id) => selectScreenToken(read, seal, id),
    add: (screen, { pairingHash, token }, audit) =>
      write(async (transaction) => {
        const { siteId, name, kind, terms } = screen;
        const inserted = { screen, pairingHash, token, createdAtMs: audit.atMs, now: now() };
        const added = await insertScreen(transaction, seal, inserted);
        if (terms !== null) await insertTerms(transaction, added.id, { text: terms, atMs: audit.atMs });
        const siteName = await selectSiteName(transaction, siteId);
        const details = { ...screenDetails({ id: added.id, name, siteId, siteName }), changes: { kind } };
        await insertAuditEntry(transaction, { ...audit, action: 'screen.added', details });
        return added;
      }),
    renewPairing: (id, pairingHash, audit) =>
      write(async (transaction) => {
        const untilMs = await updatePairing(transaction, id, { pairingHash, now: now() });
        if (untilMs !== undefined) await note(transaction, id, 'screen.code-renewed', audit);
        return untilMs;
      }),
    renewToken: (id, token, audit) =>
      write(async (transaction) => {
        if (!(await updateScreenToken(transaction, seal, id, token))) return false;
        await note(transaction, id, 'screen.path-renewed', audit);
        return true;
      }),
    unpair: (id, audit) =>
      write(async (transaction) => {
        if (!(await unpairDevice(transaction, id))) return false;
        await note(transaction, id, 'screen.unpaired', audit);
        return true;
      }),
    pair: (pairingHash, cookieHash, { atMs, ...seen }) =>
      write(async (transaction) => {
        const id = await pairDevice(transaction, { pairingHash, cookieHash, seen, now: now() });
        const screen = id && (await selectScreen(transaction, id));
        if (!screen) return undefined;
        await note(transaction, screen.id, 'screen.paired', {
          actor: screenActor(screen),
          atMs,
          ip: seen.ip,
        });
        return screen;
      }),
    update: (id, settings, audit) =>
      write(async (transaction) => {
        const before = await holdScreen(transaction, id);
        if (!before) return false;
        const after = { ...before, ...settings };
        await updateScreen(transaction, after);
        const fields = changedSettings(before, after);
        const details = { ...screenDetails(after), fields };
        if (fields.length > 0)
          await insertAuditEntry(transaction, { ...audit, action: 'screen.changed', details });
        return true;
      }),
    setTerms: (id, text, audit) =>
      write(async (transaction) => {
        const screen = await holdScreen(transaction, id);
        if (!screen) return false;
        const before = screen.termsId === null ? undefined : await selectTerms(transaction, screen.termsId);
        if (text === (before?.text ?? null)) return true;
        if (text === null) await updateTerms(transaction, id, null);
        else await insertTerms(transaction, id, { text, atMs: audit.atMs });
        const details = { ...screenDetails(screen), fields: ['terms'] };
        await insertAuditEntry(transaction, { ...audit, action: 'screen.changed', details });
        return true;
      }),
    countVouchers: (ids) => countVouchersOfScreens(read, ids, now()),
    findTerms: (id) => selectTerms(read, id),
    findAcceptedTerms: (id) => selectAcceptedTerms(read, id),
    listTerms: (id) => selectTermsOfScreen(read, id),
    remove: (id, audit) =>
      write(async (transaction) => {
        // Waits for a change of the rolling code, so that the code shown last is deleted on the console.
        const screen = await holdScreen(transaction, id);
        if (!screen) return false;
        await deleteScreen(transaction, id, now());
        const details = screenDetails(screen);
        await insertAuditEntry(transaction, { ...audit, action: 'screen.removed', details });
        return true;
      }),
    noteSeen: (id, seen) => write((transaction) => updateSeen(transaction, id, seen, now())),
    addResult: (result) => write((transaction) => insertResult(transaction, result, now()), 'finishes'),
    takeResult: (screenId, tokenHash) =>
      write((transaction) => deleteResult(transaction, { screenId, tokenHash }, now()), 'finishes'),
    forgetOldResults: () => write((transaction) => deleteOldResults(transaction, now())),
  };
}

async function note(transaction: Handle, id: ScreenId, action: PlainAction, audit: AuditContext) {
  const screen = await selectScreen(transaction, id);
  if (screen) await insertAuditEntry(transaction, { ...audit, action, details: screenDetails(screen) });
}

function changedSettings(before: ScreenSettings, after: ScreenSettings): string[] {
  return SETTINGS.filter((name) => String(before[name]) !== String(after[name]));
}
