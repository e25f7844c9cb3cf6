// Finds secrets in the settings that somebody could guess, for the log, `doctor` and the page "System health".

import type { Config } from '../../platform/config/config.ts';
import { isWeakSecret } from '../../platform/secrets/weak-secret.ts';

/** Returns the names of the settings whose secret is easy to guess. */
export function findWeakSecrets({ secret, metricsToken, backup }: Config): string[] {
  const secrets = {
    GASTPASS_SECRET: secret,
    METRICS_TOKEN: metricsToken,
    BACKUP_PASSPHRASE: backup.passphrase,
  };
  return Object.entries(secrets)
    .filter(([, value]) => value !== undefined && isWeakSecret(value))
    .map(([name]) => name);
}
