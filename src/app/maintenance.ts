// Work on a whole installation: backups, moving it, moving in, rekeying, migrating. Loaded only by the commands that do it.

export { findAppKey } from '../move-in/app-key.ts';
export { readUnifiVoucherTool } from '../move-in/unifi-voucher-tool.ts';
export { backUpInstallation } from '../storage/backup/back-up-installation.ts';
export { checkBackup } from '../storage/backup/check-backup.ts';
export { restoreBackup } from '../storage/backup/restore-backup.ts';
export { migrateInstallation } from '../storage/migrate-installation.ts';
export { moveInstallation } from '../storage/move/move-installation.ts';
export { moveIntoInstallation } from '../storage/move-in/move-into-installation.ts';
export { findMigrations } from '../storage/open-storage.ts';
export { rekeyInstallation } from '../storage/rekey/rekey-installation.ts';
export { sayMigrated } from '../storage/schema-version.ts';
