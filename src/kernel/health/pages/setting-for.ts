// The setting of the service's environment that fixes a problem of the health page, with a value that suits the way the
// service was installed.

import type { SettingsPlace } from '../../settings/environment-settings.ts';
import type { HelpedSetting } from '../../settings/pages/setting-help.ts';
import type { HealthFact } from '../finding.ts';

/** Folders that the service may write to, as `deploy/` prepares them. Below the data folder, it creates them itself. */
const BACKUP_DIR: Record<SettingsPlace, string> = {
  'settings-file': '/var/backups/gastpass',
  'compose-file': '/var/lib/gastpass/backups',
  'npm-command': './data/backups',
  'clone-command': './data/backups',
};

/** The proxy on the same machine, as `deploy/` configures it. */
const OWN_PROXY: Record<SettingsPlace, string> = {
  'settings-file': '127.0.0.1,::1',
  'compose-file': '172.30.81.1',
  'npm-command': '127.0.0.1,::1',
  'clone-command': '127.0.0.1,::1',
};

/** Undefined if no setting fixes the problem. */
export function settingFor(fact: HealthFact, place: SettingsPlace): HelpedSetting | undefined {
  switch (fact.kind) {
    case 'folder-missing':
    case 'folder-is-file':
      return { name: 'DATA_DIR' };
    case 'setting-unknown':
      return fact.meant === undefined ? { name: fact.name, isToBeRemoved: true } : { name: fact.meant };
    case 'secret-previous-unneeded':
      return { name: 'GASTPASS_SECRET_PREVIOUS', isToBeRemoved: true };
    case 'secret-weak':
      // The secret of the installation is not just replaced: the guide that the text names has more steps.
      return fact.setting === 'GASTPASS_SECRET' ? undefined : { name: fact.setting };
    case 'address-plain':
      return { name: 'TRUSTED_PROXIES', value: OWN_PROXY[place] };
    case 'proxy-untrusted':
      return { name: 'TRUSTED_PROXIES', value: fact.proxies };
    case 'zone-other':
      return { name: 'TZ', value: fact.machine };
    case 'backups-off':
    case 'backups-missing':
      return { name: 'BACKUP_DIR', value: BACKUP_DIR[place] };
    case 'backups-without-secret':
      return { name: 'BACKUP_PASSPHRASE_FILE' };
    default:
      return undefined;
  }
}
