// German texts about the health of the installation, for the health page.

import { isDenied } from '../../platform/values/file-error.ts';
import { saidOfSitesDe } from '../sites/health-texts-de.ts';
import type { FactOf, KernelFact } from './finding.ts';
import { type Formats, type SaidOf, titled } from './health-said.ts';
import { saidOfReachDe } from './reach-texts-de.ts';

const SECRET = 'Schlüssel der Installation';
const DATABASE = 'Datenbank';
/** The maximum number of e-mail addresses that one text lists. */
const MAX_ADDRESSES = 20;

const WRITABLE =
  'Das Dateisystem beschreibbar einbinden; nach einem Fehler zuerst die Platte prüfen. Unter systemd den Ordner in ReadWritePaths= nennen.';
const WRONG_TIME = 'Voucher, Sitzungen und Schlüssel laufen dadurch zur falschen Zeit ab.';

const DISK: Record<FactOf<'database-disk'>['reason'], { text: string; todo: string }> = {
  'disk-full': {
    text: 'Der Datenträger der Datenbank ist voll. Es werden keine Voucher mehr erstellt.',
    todo: 'Dort Dateien löschen oder den Datenträger vergrößern.',
  },
  'read-only': {
    text: 'Die Datenbank ist schreibgeschützt. Es werden keine Voucher mehr erstellt.',
    todo: 'Den Datenträger wieder beschreibbar einbinden oder in DATABASE_URL den primären Server angeben.',
  },
  'io-error': {
    text: 'Der Datenträger der Datenbank meldet Fehler. Voucher lassen sich eventuell nicht erstellen.',
    todo: 'Den Datenträger prüfen. Näheres steht im Log des Dienstes und des Servers.',
  },
  damaged: {
    text: 'Die Datenbank ist beschädigt. Voucher lassen sich eventuell nicht erstellen.',
    todo: 'Den Dienst beenden, eine Kopie der Datenbank aufheben, den Datenträger prüfen und die letzte Sicherung einspielen.',
  },
};

function nameClocks(
  { sites, isDatabase }: Pick<FactOf<'clock-ok'>, 'sites' | 'isDatabase'>,
  { names }: Formats,
): string {
  const database = 'der Uhr des Datenbankservers';
  if (sites.length === 0) return database;
  const controllers = sites.length === 1 ? 'der Uhr der Konsole' : 'den Uhren der Konsolen';
  return `${isDatabase ? `${database} sowie ` : ''}${controllers} von ${names(sites, (count) => `${count} weiteren`)}`;
}

const offset = (aheadMs: number, { duration }: Formats) =>
  `${duration(Math.abs(aheadMs))} ${aheadMs > 0 ? 'nach' : 'vor'}`;

const locked = ({ path, code }: FactOf<'folder-locked'>) => ({
  text: `${path} lässt sich nicht verwenden (${code}).`,
  todo: isDenied(code)
    ? 'Dem Benutzer des Dienstes mit chown und chmod Zugriff geben; Befehle als dieser Benutzer ausführen.'
    : 'Den Pfad und seinen Datenträger prüfen.',
});

const said: SaidOf<KernelFact> = {
  ...saidOfReachDe,
  ...saidOfSitesDe,
  'node-ok': ({ version }) => ({ title: 'Node', text: `Der Dienst läuft mit Version ${version}` }),
  ...titled('Datenordner', {
    'folder-ok': ({ path }) => ({ text: path }),
    'folder-open': ({ path }) => ({
      text: `Auch andere Benutzer des Servers haben Zugriff auf ${path}.`,
      todo: 'Nur dem Benutzer des Dienstes Zugriff geben:',
      command: `chmod 700 ${path}`,
    }),
    'folder-missing': ({ path }) => ({
      text: `${path} gibt es nicht.`,
      todo: 'DATA_DIR berichtigen oder den Dienst neu starten; er legt den Ordner dann an.',
    }),
    'folder-is-file': ({ path }) => ({
      text: `${path} ist kein Ordner.`,
      todo: 'Die Datei verschieben oder DATA_DIR berichtigen.',
    }),
    'folder-locked': locked,
    'folder-read-only': ({ path }) => ({
      text: `${path} ist nur lesbar eingebunden.`,
      todo: WRITABLE,
    }),
  }),
  'setting-unknown': ({ name, meant }) => ({
    title: `Einstellung ${name}`,
    text: 'Diese Einstellung gibt es nicht; sie bewirkt nichts.',
    todo: meant
      ? `Gemeint ist wohl ${meant}: umbenennen und den Dienst neu starten.`
      : 'Aus den Einstellungen des Dienstes entfernen.',
  }),
  ...titled('Speicherplatz', {
    'disk-ok': ({ freeMb, percent }, { volume }) => ({ text: `${volume(freeMb)} (${percent} %) frei` }),
    'disk-low': ({ freeMb, percent, path }, { volume }) => ({
      text: `Nur noch ${volume(freeMb)} (${percent} %) frei auf dem Datenträger von ${path}.`,
      todo: 'Dort aufräumen oder den Datenträger vergrößern.',
    }),
    'disk-full': ({ freeMb, percent, path }, { volume }) => ({
      text: `Nur noch ${volume(freeMb)} (${percent} %) frei auf dem Datenträger von ${path}. Ist er voll, lassen sich keine Voucher mehr erstellen.`,
      todo: 'Sofort aufräumen oder den Datenträger vergrößern.',
    }),
  }),
  ...titled(SECRET, {
    'secret-ok': ({ path }) => ({ text: `${path ?? 'GASTPASS_SECRET'} passt zur Datenbank` }),
    'secret-previous-needed': ({ count }) => ({
      text: `${count === 1 ? 'Ein Wert ist' : `${count} Werte sind`} noch mit dem vorherigen Schlüssel verschlüsselt.`,
      todo: 'Neu verschlüsseln:',
      command: 'gastpass rekey',
    }),
    'secret-previous-unneeded': () => ({
      text: 'GASTPASS_SECRET_PREVIOUS ist gesetzt, wird aber nicht mehr gebraucht.',
      todo: 'Die Einstellung entfernen und den Dienst neu starten.',
    }),
  }),
  'secret-weak': ({ setting }) => ({
    title: `Einstellung ${setting}`,
    text: 'Dieser Wert ist ein Platzhalter oder leicht zu erraten.',
    todo:
      setting === 'GASTPASS_SECRET'
        ? 'Den Schlüssel wechseln; die Schritte stehen in docs/secret.md unter „Changing the secret“.'
        : 'Einen zufälligen Wert setzen und den Dienst neu starten. Dieser Befehl erzeugt einen:',
    ...(setting !== 'GASTPASS_SECRET' && { command: 'openssl rand -hex 32' }),
  }),
  ...titled(({ file }) => (file === 'secret' ? SECRET : DATABASE), {
    'file-readable': ({ path }) => ({
      text: `${path} ist für andere Benutzer des Servers lesbar.`,
      todo: 'Nur dem Benutzer des Dienstes Zugriff geben:',
      command: `chmod 600 ${path}`,
    }),
    'file-of-other-user': ({ path, folder }) => ({
      text: `${path} gehört einem anderen Benutzer als der Datenordner.`,
      todo: 'Den Besitzer angleichen:',
      command: `chown --reference=${folder} ${path}`,
    }),
  }),
  ...titled('Verschlüsselte Werte', {
    'sealed-broken': ({ detail }) => ({
      text: 'Ein verschlüsselter Wert lässt sich nicht öffnen.',
      todo: 'Den passenden Schlüssel der Installation einsetzen oder den Wert neu eingeben.',
      detail,
    }),
    'sealed-unbound': ({ count }) => ({
      text: `${count === 1 ? 'Ein Wert stammt' : `${count} Werte stammen`} aus einer älteren Version und ${count === 1 ? 'ist' : 'sind'} schwächer geschützt.`,
      todo: 'Sobald alle Instanzen diese Version verwenden, neu verschlüsseln:',
      command: 'gastpass rekey',
    }),
  }),
  ...titled(DATABASE, {
    'database-ok': () => ({ text: 'Lesen und Schreiben funktionieren' }),
    'database-unwritable': ({ detail }) => ({
      text: 'Die Datenbank nimmt keine Änderungen an.',
      todo: 'Prüfen, ob ihr Datenträger Platz hat und ob ein anderes Programm die Datenbank geöffnet hat.',
      detail,
    }),
    'database-disk': ({ reason }) => DISK[reason],
  }),
  ...titled('PostgreSQL', {
    'postgresql-ok': ({ version, role }) => ({
      text: `Version ${version}, die Rolle ${role} hat alle Rechte`,
    }),
    'postgresql-owner': ({ version, role }) => ({
      text: `Version ${version}, die Rolle ${role} darf Tabellen nicht ändern; vor einem Update gastpass migrate als deren Besitzer ausführen`,
    }),
    'postgresql-old': ({ version, minVersion }) => ({
      text: `Version ${version} ist zu alt.`,
      todo: `Den Datenbankserver auf Version ${minVersion} oder neuer aktualisieren.`,
    }),
    'postgresql-encoding': ({ encoding }) => ({
      text: `Die Datenbank verwendet den Zeichensatz ${encoding} statt UTF8.`,
      todo: "In eine Datenbank umziehen, die mit encoding 'UTF8' template template0 angelegt wurde.",
    }),
    'postgresql-rights': ({ role, schema, tables }, { names }) => ({
      text: `Die Rolle ${role} darf diese Tabellen nicht lesen und schreiben: ${names(tables, (count) => `${count} weitere`)}.`,
      todo: 'Auf dem Datenbankserver die Rechte erteilen:',
      command: `grant select, insert, update, delete on all tables in schema ${schema} to ${role}`,
    }),
    'postgresql-later-rights': ({ role, schema, owner }) => ({
      text: `Die Rolle ${role} darf Tabellen, die ein Update anlegt, nicht lesen und schreiben.`,
      todo: 'Vor dem nächsten Update auf dem Datenbankserver die Rechte erteilen:',
      command: `alter default privileges for role ${owner} in schema ${schema} grant select, insert, update, delete on tables to ${role}`,
    }),
  }),
  'service-ok': ({ version }) => ({ title: 'Dienst', text: `Läuft, Version ${version}` }),
  ...titled('Uhrzeit', {
    'clock-ok': (fact, formats) => ({
      text:
        fact.sites.length === 0 && !fact.isDatabase
          ? `${formats.time(fact.nowMs)}\u00a0Uhr; kein Eintrag liegt in der Zukunft`
          : `${formats.time(fact.nowMs)}\u00a0Uhr; stimmt mit ${nameClocks(fact, formats)} überein`,
    }),
    'clock-was-ahead': ({ nowMs, untilMs }, { time }) => ({
      text: `Stimmt jetzt (${time(nowMs)}\u00a0Uhr), ging aber einmal vor: Ein Eintrag trägt das Datum ${time(untilMs)}\u00a0Uhr`,
    }),
    'clock-off': (fact, formats) => ({
      text: `Die Uhr des Servers (${formats.time(fact.nowMs)}\u00a0Uhr) geht gegenüber ${nameClocks(fact, formats)} um ${offset(fact.aheadMs, formats)}. ${WRONG_TIME}`,
      todo:
        fact.sites.length + Number(fact.isDatabase) > 1
          ? 'Die Uhr des Servers stellen:'
          : 'Die falsche der beiden Uhren stellen. Auf dem Server:',
      command: 'timedatectl set-ntp true',
    }),
    'clock-behind-record': ({ nowMs, aheadMs }, formats) => ({
      text: `Die Uhr des Servers (${formats.time(nowMs)}\u00a0Uhr) geht gegenüber dem neuesten Eintrag um ${offset(aheadMs, formats)}. ${WRONG_TIME}`,
      todo: 'Die Uhr des Servers stellen. Stimmt sie, ging sie früher einmal vor; dann verschwindet diese Meldung mit dem nächsten Abgleich und dem nächsten Eintrag im Protokoll.',
    }),
    'clock-set-back': ({ nowMs, untilMs }, { time }) => ({
      text: `Die Uhr des Servers zeigt ${time(nowMs)}\u00a0Uhr, ein Eintrag stammt aber vom ${time(untilMs)}\u00a0Uhr: Die Uhr wurde zurückgestellt.`,
      todo: 'Stimmt die Uhr jetzt, ist nichts zu tun: Alles, was wartet, läuft nach den üblichen Pausen weiter. Sonst die Uhr stellen.',
    }),
    'clock-not-compared': (fact, formats) => ({
      text: `Nicht verglichen mit ${nameClocks({ ...fact, isDatabase: false }, formats)}: keine Uhrzeit innerhalb von drei Sekunden`,
    }),
    'clock-doubted': ({ nowMs, heartbeatMs, untilTrustedMs }, { time, duration }) => ({
      text: `Die Uhr des Servers zeigt ${time(nowMs)}\u00a0Uhr, zuletzt lief Gastpass aber am ${time(heartbeatMs)}\u00a0Uhr. Deshalb werden zurzeit keine alten Daten gelöscht.`,
      todo: `Stimmt die Uhr, bitte bestätigen; sonst die Uhr stellen. Geschieht keins von beidem, gilt sie als richtig, sobald der Dienst 24 Stunden gelaufen ist (noch ${duration(untilTrustedMs)}).`,
    }),
  }),
  'retention-held-back': () => ({
    title: 'Aufbewahrung',
    text: 'Die Tagesgrenze ist erreicht. Der Rest wird in den nächsten Tagen gelöscht.',
    todo: 'Die Grenze lässt sich auf der Seite „Einstellungen“ aufheben.',
  }),
  'ended-vouchers-held-back': () => ({
    title: 'Abgelaufene Voucher',
    text: 'Die Tagesgrenze ist erreicht. Weitere abgelaufene Voucher bleiben vorerst auf den Konsolen und gelten dort vielleicht noch.',
    todo: 'Die Grenze lässt sich auf der Seite „Einstellungen“ unter „Aufbewahrung“ aufheben. Prüfen Sie auch die Konsolen.',
  }),
  ...titled('Zeitzone', {
    'zone-ok': ({ zone }) => ({ text: zone }),
    'zone-other': ({ zone, machine }) => ({
      text: `Gastpass rechnet mit ${zone}, der Server mit ${machine}.`,
      todo: `Um bei ${zone} zu bleiben, TZ=${zone} setzen. Für ${machine} so einstellen und den Dienst neu starten:`,
      command: `TZ=${machine}`,
    }),
  }),
  'sites-none': () => ({
    title: 'Standorte',
    text: 'Noch kein Standort eingerichtet.',
    todo: 'Einen Standort mit seiner Konsole verbinden.',
  }),
  ...titled('Benutzer', {
    'admins-ok': ({ count }) => ({
      text: count === 1 ? 'Ein Konto der Verwaltung' : `${count} Konten der Verwaltung`,
    }),
    'admins-none': () => ({
      text: 'Es gibt kein aktives Konto der Verwaltung.',
      todo: 'Eines anlegen:',
      command: 'gastpass users add --email EMAIL --name NAME --admin',
    }),
  }),
  'addresses-not-plain': ({ emails }, { names }) => ({
    title: 'E-Mail-Adressen',
    text: `Diese Benutzer können sich nur mit dem Passwort anmelden, nicht über Single Sign-on oder einen Proxy: ${names(emails, (count) => `${count} weitere`, MAX_ADDRESSES)}. Ihre Adressen enthalten Umlaute oder andere Zeichen, die nicht mehr erlaubt sind.`,
    todo: 'Die Adresse auf dem Server ändern:',
    command: 'gastpass users change-email --email ALT --new-email NEU',
  }),
  ...titled('Offene Aufträge', {
    'intents-ok': ({ count }) => ({ text: count === 0 ? 'Keine' : `${count}, gerade in Arbeit` }),
    'intents-overdue': ({ count }) => ({
      text: `Bei ${count === 1 ? 'einem Voucher' : `${count} Vouchern`} ist unklar, ob die Konsole ${count === 1 ? 'ihn' : 'sie'} erstellt hat.`,
      todo: 'Dafür sorgen, dass die Konsole erreichbar ist; dann klärt es sich von selbst.',
    }),
  }),
  ...titled('Datensicherungen', {
    'backups-off': () => ({
      text: 'Nicht eingerichtet; mit der Einstellung BACKUP_DIR erstellt der Dienst sie selbst',
    }),
    'backups-missing': () => ({
      text: 'Nicht eingerichtet.',
      todo: 'BACKUP_DIR setzen und den Dienst neu starten. Wird auf anderem Weg gesichert, ist nichts zu tun.',
    }),
    'backups-ok': ({ newestAtMs, path }, { time }) => ({
      text: `Neueste: ${time(newestAtMs)}\u00a0Uhr (${path})`,
    }),
    'backups-none': ({ folder }) => ({
      text: `In ${folder} liegt noch keine.`,
      todo: 'Die erste entsteht nach dem Start des Dienstes. Bleibt sie aus, nennt das Log den Grund.',
    }),
    'backups-late': ({ newestAtMs }, { time }) => ({
      text: `Die neueste ist vom ${time(newestAtMs)}\u00a0Uhr; die nächste ist überfällig.`,
      todo: 'Den Grund nennt das Log des Dienstes: nach „backup failed“ suchen.',
    }),
    'backups-future': ({ newestAtMs }, { time }) => ({
      text: `Die neueste trägt ein Datum in der Zukunft: ${time(newestAtMs)}\u00a0Uhr.`,
      todo: 'Die Uhr des Servers stellen.',
    }),
    'backups-no-folder': ({ folder }) => ({
      text: `${folder} gibt es nicht.`,
      todo: 'Den Ordner einbinden oder anlegen, mit Zugriff nur für den Benutzer des Dienstes.',
    }),
    'backups-locked': locked,
    'backups-read-only': ({ folder }) => ({
      text: `${folder} ist nur lesbar eingebunden.`,
      todo: WRITABLE,
    }),
    'backup-changed': ({ path }) => ({
      text: `${path} fehlt oder wurde verändert. Der Dienst erstellt innerhalb einer Minute eine neue Sicherung.`,
      todo: 'Die Dateien in diesem Ordner nicht anrühren, sondern an einen anderen Ort kopieren.',
    }),
    'backup-unread': ({ path }) => ({
      text: `${path} lässt sich nicht lesen.`,
      todo: 'Prüfen, ob der Datenträger des Ordners erreichbar ist.',
    }),
    'backups-without-secret': () => ({
      text: 'Sie enthalten den Schlüssel der Installation nicht und lassen sich ohne ihn nicht wiederherstellen.',
      todo: 'BACKUP_PASSPHRASE_FILE setzen oder eine Kopie der Datei „secret“ aus dem Datenordner an einem anderen Ort aufbewahren.',
    }),
    'backups-on-same-disk': ({ folder }) => ({
      text: `${folder} liegt auf demselben Datenträger wie die Datenbank. Fällt er aus, ist beides verloren.`,
      todo: 'Die Sicherungen auf einen anderen Rechner kopieren oder in BACKUP_DIR einen Ordner auf einem anderen Datenträger angeben. Werden sie bereits kopiert, ist nichts zu tun.',
    }),
  }),
  ...titled('Instanzen', {
    'instances-ok': ({ count, release }) => ({
      text: `${count === 1 ? 'Eine läuft' : `${count} laufen`} mit Version ${release}`,
    }),
    'instances-differ': ({ instances }) => ({
      text: `Sie laufen mit verschiedenen Versionen: ${instances.join(', ')}.`,
      todo: 'Die älteren aktualisieren. Bis dahin lassen sich manche neuen Funktionen nicht auswählen.',
    }),
  }),
  'not-examined': ({ part, detail }) => ({
    title: 'Prüfung nicht möglich',
    text: 'Dieser Teil ließ sich nicht prüfen.',
    todo: 'Erneut prüfen. Näheres steht im Log des Dienstes.',
    detail: `${part}: ${detail}`,
  }),
};

export const healthDe = {
  title: 'Systemzustand',
  said,
  checkedAt: (time: string) => `Geprüft: ${time}\u00a0Uhr`,
  again: 'Erneut prüfen',
  allWell: 'Alles in Ordnung.',
  faults: 'Störungen',
  warnings: 'Hinweise',
  good: (count: number) => (count === 1 ? 'Ein Punkt in Ordnung' : `${count} Punkte in Ordnung`),
  copy: 'Kopieren',
  addSite: 'Standort einrichten',
  toUsers: 'Benutzer ansehen',
  toKeys: 'API-Schlüssel ansehen',
  toSites: 'Standorte ansehen',
  toRetention: 'Aufbewahrung ansehen',
  confirmClock: 'Uhr bestätigen',
  askClock: 'Stimmt die Uhr des Servers?',
  clockShows: (now: string, heartbeat: string) =>
    `Sie zeigt ${now}\u00a0Uhr. Zuletzt lief Gastpass am ${heartbeat}\u00a0Uhr. Stimmt sie nicht, werden nach der Bestätigung Voucher und Protokoll zu früh gelöscht.`,
  clockIsRight: 'Ja, die Uhr stimmt',
  more: 'Dieselbe Prüfung auf dem Server, auch wenn der Dienst nicht läuft:',
};

export type HealthMessages = typeof healthDe;
