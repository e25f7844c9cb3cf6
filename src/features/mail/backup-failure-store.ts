// Mails about scheduled backups that fail. A setting notes that the current series of failures was reported, so that
// all instances together send one mail per administrator and series.

import { type AccountMails, insertAccountMail } from '../../kernel/users/account-mail-store.ts';
import type { BackupFailureReports } from '../../platform/backup/scheduled-backups.ts';
import type { Database, Handle } from '../../platform/database/database.ts';
import {
  deleteSetting,
  insertSettingUnlessThere,
  selectSetting,
} from '../../platform/database/installation-queries.ts';

const REPORTED = 'backup_failure_reported';

export function makeBackupFailureReports(
  database: Database,
  accountMails: AccountMails,
): BackupFailureReports {
  return {
    async report(problem, atMs) {
      if ((await selectSetting(database.read, REPORTED)) !== undefined) return;
      await database.write(async (transaction) => {
        const mails = [];
        for (const to of await selectAdminAddresses(transaction)) {
          const mail = { kind: 'backup-failed' as const, problem };
          mails.push(await accountMails.seal(transaction, { to, mail, occurredAtMs: atMs }));
        }
        // Without e-mail nothing is reported, and the next failure tries again.
        if (mails.every((mail) => mail === undefined)) return;
        if (!(await insertSettingUnlessThere(transaction, REPORTED, String(atMs)))) return;
        for (const mail of mails) await insertAccountMail(transaction, mail);
      });
    },
    async end() {
      const reported = await selectSetting(database.read, REPORTED);
      if (reported !== undefined)
        await database.write((transaction) => deleteSetting(transaction, REPORTED, reported));
    },
  };
}

async function selectAdminAddresses(handle: Handle): Promise<string[]> {
  const rows = await handle
    .selectFrom('users')
    .select('email')
    .where('role', '=', 'admin')
    .where('active', '=', 1)
    .orderBy('id')
    .execute();
  return rows.map(({ email }) => email);
}
