// Operations on a whole installation: backup and restore, moving to PostgreSQL, taking over the data of another tool,
// rekeying and migrating. Loaded only by the commands that need them.

export { simulatorRefill } from '../controllers/simulator/simulated-vouchers.ts';
export { findAppKey } from '../move-in/app-key.ts';
export { readUnifiVoucherTool } from '../move-in/unifi-voucher-tool.ts';
export { checkBackup } from '../storage/backup/check-backup.ts';
export { backUpInstallation } from '../storage/backup/create-backup.ts';
export { restoreBackup } from '../storage/backup/restore-backup.ts';
export { moveInstallationToPostgres } from '../storage/move/move-to-postgres.ts';
export { moveIntoInstallation } from '../storage/move-in/move-in.ts';
export { estimateMigrations, findMigrations, migrateInstallation } from '../storage/open-storage.ts';
export { rekeyInstallation } from '../storage/rekey/rekey.ts';
export { sayMigrated } from '../storage/schema-version.ts';
