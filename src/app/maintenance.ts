// Work on a whole installation: backups, moving, rekeying, migrating. Loaded only by the commands that do it.

export { backUpInstallation } from '../storage/backup/back-up-installation.ts';
export { checkBackup } from '../storage/backup/check-backup.ts';
export { restoreBackup } from '../storage/backup/restore-backup.ts';
export { migrateInstallation } from '../storage/migrate-installation.ts';
export { moveInstallation } from '../storage/move/move-installation.ts';
export { findMigrations } from '../storage/open-storage.ts';
export { rekeyInstallation } from '../storage/rekey/rekey-installation.ts';
