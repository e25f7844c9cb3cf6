// German messages for printers and their set-up.

import type { PrinterKind, PrinterLayout } from './printer.ts';
import type { PrinterAdvice, ShownState } from './printer-state.ts';

interface KindTexts {
  name: string;
  /** When this kind is the right one. */
  what: string;
  /** What to do at the printer. */
  steps: string[];
}

const kinds: Record<PrinterKind, KindTexts> = {
  escpos: {
    name: 'Netzwerkdrucker (ESC/POS)',
    what: 'Gastpass verbindet sich mit dem Drucker. Passt für Bondrucker mit Netzwerkanschluss, die ESC/POS verstehen und die Gastpass im Netz erreicht.',
    steps: [
      'Den Drucker mit dem Netz verbinden und ihm eine feste IP-Adresse geben, am Drucker selbst oder als Reservierung im Router.',
      'Die IP-Adresse herausfinden: Viele Drucker drucken sie aus, wenn beim Einschalten die Vorschubtaste gedrückt bleibt.',
      'Die Adresse hier eintragen und danach die Testseite drucken.',
    ],
  },
  cloudprnt: {
    name: 'Star CloudPRNT',
    what: 'Der Drucker fragt selbst nach Aufträgen. Das geht auch hinter einem Router, wenn Gastpass im Rechenzentrum läuft.',
    steps: [
      'Im Browser die Einstellungsseite des Druckers öffnen, also seine IP-Adresse eingeben, und dort anmelden.',
      'CloudPRNT einschalten und als „Server URL“ die Adresse eintragen, die Gastpass für diesen Drucker anzeigt.',
      'Als „Polling Time“ 5 Sekunden wählen; Benutzername und Passwort bleiben leer.',
      'Speichern und den Drucker neu starten. Nach einigen Sekunden zeigt Gastpass „bereit“.',
    ],
  },
  epson: {
    name: 'Epson Server Direct Print',
    what: 'Der Drucker fragt selbst nach Aufträgen. Das geht auch hinter einem Router, wenn Gastpass im Rechenzentrum läuft.',
    steps: [
      'Im Browser die Einstellungsseite des Druckers öffnen (Web Config), also seine IP-Adresse eingeben, und dort anmelden.',
      'ePOS-Print und Server Direct Print einschalten und als URL die Adresse eintragen, die Gastpass für diesen Drucker anzeigt.',
      'Als Intervall 5 Sekunden wählen. ID und Passwort prüft Gastpass nicht.',
      'Speichern und den Drucker neu starten. Nach einigen Sekunden zeigt Gastpass „bereit“.',
    ],
  },
};

const layouts: Record<PrinterLayout, { label: string; hint: string }> = {
  full: { label: 'Vollständig', hint: 'mit Logo, Schritten und Text' },
  compact: { label: 'Kurz', hint: 'ohne Logo, Schritte und Text' },
  code: { label: 'Nur der Code', hint: 'am wenigsten Papier' },
};

const states: Record<ShownState, string> = {
  new: 'nie verbunden',
  ready: 'bereit',
  'paper-out': 'Papier leer',
  'cover-open': 'Deckel offen',
  fault: 'Störung',
  silent: 'antwortet nicht',
  unknown: 'unbekannt',
};

const advice: Record<PrinterAdvice, string> = {
  'paper-out': 'Bitte Papier einlegen. Wartende Druckaufträge folgen dann von selbst.',
  'cover-open': 'Bitte den Deckel schließen. Wartende Druckaufträge folgen dann von selbst.',
  fault: 'Bitte am Drucker nachsehen, zum Beispiel nach einem Papierstau, und ihn aus- und einschalten.',
  'unknown-host':
    'Der Name des Druckers ist im Netz nicht bekannt. Bitte die Schreibweise prüfen oder die IP-Adresse eintragen.',
  refused:
    'Unter dieser Adresse ist ein Gerät, aber auf diesem Port nimmt es keine Aufträge an. Bitte Adresse und Port prüfen; üblich ist 9100. Manche Drucker nehmen nur eine Verbindung gleichzeitig an.',
  unreachable: 'Die Adresse ist von diesem Server aus nicht erreichbar. Bitte Netz und Firewall prüfen.',
  forbidden: 'Mit dieser Adresse darf sich Gastpass nicht verbinden; siehe die Einstellung WEBHOOK_TARGETS.',
  'no-answer':
    'Bitte prüfen, ob der Drucker eingeschaltet und mit dem Netz verbunden ist und ob die Adresse stimmt.',
  'not-polling':
    'Der Drucker fragt nicht mehr nach Aufträgen. Bitte prüfen, ob er eingeschaltet ist und ins Internet kommt und ob in seinen Einstellungen noch die richtige Adresse steht.',
  'never-polled':
    'Der Drucker hat noch nie nach Aufträgen gefragt. Bitte die Adresse in seinen Einstellungen eintragen.',
};

export const printersDe = {
  title: 'Drucker',
  intro: 'Auf Bondruckern kommt der Zettel für den Gast sofort heraus, ohne Druckdialog.',
  add: 'Drucker hinzufügen',
  empty:
    'Noch keine Drucker. Mit einem Bondrucker an der Rezeption genügt ein Klick, und der Gast hat seinen Code auf Papier.',
  noSites: 'Ein Drucker gehört zu einem Standort. Bitte zuerst einen Standort hinzufügen.',
  addSite: 'Standort hinzufügen',
  choose: 'Wie ist der Drucker verbunden?',
  chooseThis: 'Auswählen',
  otherKind: 'Andere Art wählen',
  guide: 'So geht es',
  kind: 'Art',
  kinds,
  site: 'Standort',
  siteMissing: 'Bitte einen Standort wählen.',
  name: 'Name',
  nameHint: 'Zum Beispiel „Rezeption“. So heißt der Drucker auf den Knöpfen.',
  address: 'Adresse',
  addressHint:
    'IP-Adresse oder Name, zum Beispiel 192.168.1.50. Ein anderer Port als 9100 folgt nach einem Doppelpunkt.',
  addressIssues: {
    missing: 'Bitte die Adresse des Druckers eintragen.',
    wrong: 'Bitte nur IP-Adresse oder Name eintragen, auf Wunsch mit Port: 192.168.1.50:9100.',
    'not-used': 'Drucker dieser Art brauchen keine Adresse: Sie fragen selbst nach Aufträgen.',
    forbidden: advice.forbidden,
  },
  paper: 'Rolle',
  papers: { 80: '80 mm', 58: '58 mm' },
  layout: 'Aufbau',
  layouts,
  copies: 'Exemplare',
  copiesHint: 'So oft kommt jeder Zettel heraus.',
  hasCutter: 'Nach jedem Zettel schneiden',
  cutter: 'Schneiden',
  jobMinutes: 'Frist in Minuten',
  jobMinutesHint:
    'Was in dieser Zeit nicht gedruckt werden kann, zum Beispiel weil Papier fehlt, wird auch später nicht gedruckt.',
  choiceMissing: 'Bitte einen der Werte wählen.',
  more: 'Mehr',
  number: 'Nummer',
  state: 'Status',
  states,
  since: (time: string) => `seit ${time}`,
  seen: 'Zuletzt gemeldet',
  never: 'noch nie',
  said: 'Meldung:',
  advice,
  newDirect:
    'Ob der Drucker antwortet, zeigt sich beim ersten Auftrag. Am besten gleich eine Testseite drucken.',
  test: 'Testseite drucken',
  testing: 'Wird gesendet …',
  tested: {
    queued: 'Die Testseite wartet auf den Drucker.',
    sending: 'Die Testseite wird gedruckt.',
    printed: 'Die Testseite ist gedruckt.',
    sent: 'Die Testseite ist gesendet. Dieser Drucker bestätigt nicht, ob sie herauskam. Bitte nachsehen.',
    unknown: 'Es ist unklar, ob die Testseite gedruckt wurde. Bitte am Drucker nachsehen.',
    failed: 'Die Testseite wurde nicht gedruckt.',
    expired: 'Die Testseite wurde nicht rechtzeitig gedruckt.',
    cancelled: 'Die Testseite wurde abgebrochen.',
  },
  reload: 'Neu laden',
  edit: 'Bearbeiten',
  editTitle: (name: string) => `${name} bearbeiten`,
  all: 'Alle Drucker',
  path: 'Adresse für den Drucker',
  pathShow: 'Adresse für den Drucker anzeigen',
  pathWhat:
    'Diese Adresse gehört in die Einstellungen des Druckers. Sie ist geheim: Wer sie kennt, bekommt die Zettel mit den Codes.',
  pathLost: 'Die Adresse lässt sich nicht entschlüsseln. Bitte eine neue erzeugen und im Drucker eintragen.',
  pathPlain:
    'Die Adresse beginnt mit http://. Die Codes gehen also unverschlüsselt durchs Netz. Im eigenen Netz ist das oft in Ordnung, über das Internet nicht.',
  copy: 'Adresse kopieren',
  done: 'Fertig',
  renew: 'Neue Adresse erzeugen',
  renewAsk: (name: string) => `Neue Adresse für ${name} erzeugen?`,
  renewWhat:
    'Die bisherige Adresse gilt dann sofort nicht mehr. Der Drucker druckt erst wieder, wenn in seinen Einstellungen die neue steht.',
  remove: 'Entfernen',
  removeAsk: (name: string) => `Drucker ${name} entfernen?`,
  removeWhat: 'Wartende Druckaufträge werden abgebrochen. Voucher bleiben gültig.',
  removeUsed: 'Diese Bildschirme drucken danach nicht mehr:',
  jobs: 'Letzte Druckaufträge',
  noJobs: 'Noch nichts gedruckt.',
  job: 'Auftrag',
  testPage: 'Testseite',
  slip: 'Zettel',
  isCopy: 'Kopie',
  at: 'Zeit',
  error: 'Meldung',
  jobStates: {
    queued: 'wartet',
    sending: 'wird gedruckt',
    printed: 'gedruckt',
    sent: 'gesendet',
    unknown: 'unklar',
    failed: 'nicht gedruckt',
    expired: 'nicht gedruckt',
    cancelled: 'abgebrochen',
  },
  tooLate: 'nicht rechtzeitig',
  mayBePrinted: 'vielleicht gedruckt, bitte nachsehen',
  look: 'Drucker ansehen',
  named: (name: string) => `Drucker ${name}`,
  several: (count: number) => (count === 1 ? '1 Drucker' : `${count} Drucker`),
};

export type PrintersMessages = typeof printersDe;
