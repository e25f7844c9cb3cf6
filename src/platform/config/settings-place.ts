// Where the environment of this service is set. Packages name themselves in the field "packagedFor" of their
// package.json; a clone of the sources has no such field.

import { hasNotifySocket } from './notify-socket.ts';
import { PACKAGED_FOR } from './version.ts';

type SettingsPlace = 'settings-file' | 'compose-file' | 'npm-command' | 'clone-command';

/** The npm package and a clone may run under systemd, too: its unit reads the settings file and waits for a message. */
export function findSettingsPlace(
  packagedFor = PACKAGED_FOR,
  isUnderSystemd = hasNotifySocket(),
): SettingsPlace {
  if (packagedFor === 'container') return 'compose-file';
  if (packagedFor === 'debian' || isUnderSystemd) return 'settings-file';
  return packagedFor === 'npm' ? 'npm-command' : 'clone-command';
}
