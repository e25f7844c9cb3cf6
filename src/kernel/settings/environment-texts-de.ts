// German messages about settings of the service's environment: where they are set, for each way to install the service.

import type { SettingsPlace } from './environment-settings.ts';

const RUN =
  'Den Dienst im Terminal beenden und so wieder starten, zusammen mit den bisherigen Einstellungen:';

const change: Record<SettingsPlace, string> = {
  'settings-file': 'Auf dem Server in /etc/gastpass.env diese Zeile eintragen oder ändern:',
  'compose-file': 'In compose.yaml unter „environment“ diese Zeile eintragen oder ändern:',
  'npm-command': RUN,
  'clone-command': RUN,
};

const remove: Record<SettingsPlace, (name: string) => string> = {
  'settings-file': (name) => `Auf dem Server in /etc/gastpass.env die Zeile mit ${name} entfernen.`,
  'compose-file': (name) => `In compose.yaml unter „environment“ die Zeile mit ${name} entfernen.`,
  'npm-command': (name) => `Den Dienst im Terminal beenden und ohne ${name} wieder starten.`,
  'clone-command': (name) => `Den Dienst im Terminal beenden und ohne ${name} wieder starten.`,
};

export const environmentDe = {
  title: 'Einstellungen der Umgebung',
  what: (name: string) =>
    `${name} ist eine Einstellung in der Umgebung des Dienstes und lässt sich nicht im Browser ändern.`,
  change,
  remove,
  restart: 'Danach den Dienst neu starten:',
  guide: 'Anleitung: Einstellungen der Umgebung (englisch)',
};

export type EnvironmentMessages = typeof environmentDe;
