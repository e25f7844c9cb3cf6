// Settings of the service's environment, as an administrator writes them. How depends on the way the service was
// installed and is started.

/**
 * Where the settings are: in the file that systemd reads, in the compose file of a container, or in front of the
 * command that starts the service in a terminal, which differs between the npm package and a clone of the sources.
 */
export type SettingsPlace = 'settings-file' | 'compose-file' | 'npm-command' | 'clone-command';

export interface EnvironmentSetting {
  name: string;
  /** Undefined if only the administrator knows the value. */
  value?: string | undefined;
}

/** The line to add. For a service that is started in a terminal, the whole command. */
export function settingLine(place: SettingsPlace, { name, value }: EnvironmentSetting): string {
  switch (place) {
    case 'settings-file':
      return `${name}=${quoted(value)}`;
    case 'compose-file':
      return `${name}: ${value === undefined ? '…' : JSON.stringify(value)}`;
    case 'npm-command':
      return `${name}=${quoted(value)} gastpass serve`;
    case 'clone-command':
      return `${name}=${quoted(value)} npm start`;
  }
}

/** The command that makes a changed setting count. Undefined if the line itself starts the service. */
export function restartCommand(place: SettingsPlace): string | undefined {
  switch (place) {
    case 'settings-file':
      return 'sudo systemctl restart gastpass';
    case 'compose-file':
      return 'docker compose up --detach';
    case 'npm-command':
    case 'clone-command':
      return undefined;
  }
}

/** Single quotes mean the same to systemd and to a shell. */
function quoted(value: string | undefined): string {
  if (value === undefined) return '…';
  return /^[\w.,:/@%+-]*$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
