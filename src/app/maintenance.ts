// Operations on a whole installation: backup and restore, moving to PostgreSQL, taking over the data of another tool,
// rekeying and migrating. Loaded only by the commands that need them.

export { findAppKey } from '../features/move-in/dump/app-key.ts';
export { readUnifiVoucherTool } from '../features/move-in/dump/unifi-voucher-tool.ts';
export { moveIntoInstallation } from '../features/move-in/storage/move-in-store.ts';
export { simulatorRefill } from '../kernel/controllers/simulator/simulator-refill-queries.ts';
export { rekeyInstallation } from '../kernel/rekey/rekey-store.ts';
export { checkBackup } from '../platform/backup/check-backup.ts';
export { backUpInstallation } from '../platform/backup/create-backup.ts';
export { restoreBackup } from '../platform/backup/restore-backup.ts';
export { moveInstallationToPostgres } from '../platform/database/move/move-to-postgres.ts';
export {
  estimateMigrations,
  findMigrations,
  migrateInstallation,
} from '../platform/database/open-storage.ts';
export { sayMigrated } from '../platform/database/schema-version.ts';
export { loadTables } from './tables.ts';
