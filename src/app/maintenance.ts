// Work on a whole installation: moving, rekeying, migrating. Loaded only by the commands that do it.

export { migrateInstallation } from '../storage/migrate-installation.ts';
export { moveInstallation } from '../storage/move/move-installation.ts';
export { findMigrations } from '../storage/open-storage.ts';
export { rekeyInstallation } from '../storage/rekey/rekey-installation.ts';
