// German messages about mails: to whom a voucher is sent, what became of its mails, and the texts of a site's mails.

import type { AccountMailKind } from './account-mail.ts';
import type { MAIL_PLACEHOLDERS } from './custom-mail-text.ts';

export const mailsDe = {
  title: 'E-Mails',
  one: 'E-Mail',
  all: 'Alle E-Mails',
  address: 'E-Mail des Gastes',
  addressMissing: 'Bitte eine Adresse eintragen.',
  addressWrong: 'Bitte eine einzelne Adresse eintragen, zum Beispiel gast@example.org.',
  perVoucher: 'eine je Voucher',
  perVouchers: (count: string) => `${count}\u00a0E-Mails`,
  language: 'Sprache der E-Mail',
  siteLanguage: 'Sprache des Standorts',

  send: 'Per E-Mail senden',
  button: 'E-Mail senden',
  again: 'Noch einmal senden',
  atOnce: 'Jetzt senden',
  toAnother: 'An andere Adresse senden',
  markRead: 'Als gelesen markieren',
  refused: {
    'mail-not-set-up': 'E-Mail ist nicht mehr eingerichtet. Bitte die Verwaltung informieren.',
    'voucher-ended': 'Der Voucher ist nicht mehr gültig und wird deshalb nicht gesendet.',
    'too-many-mails':
      'In der letzten Stunde wurden zu viele E-Mails gesendet. Bitte später noch einmal versuchen.',
    'voucher-not-found': 'Diesen Voucher gibt es nicht mehr.',
    'mail-not-found': 'Diese E-Mail gibt es nicht mehr.',
    'mail-not-resendable': 'Diese E-Mail kann nicht noch einmal gesendet werden.',
  },

  /** `time` is a time of day, or a day and a time. */
  sent: (to: string, time: string) => `An ${to} gesendet, ${time}`,
  waits: (to: string) => `E-Mail an ${to} ist unterwegs`,
  waitsForServer: (to: string) => `E-Mail an ${to} wartet, bis der Mailserver wieder antwortet`,
  waitsUntil: (to: string, time: string) => `E-Mail an ${to} noch nicht angenommen, nächster Versuch ${time}`,
  failed: (to: string) => `E-Mail an ${to} nicht zugestellt`,
  cancelled: (to: string) => `E-Mail an ${to} nicht gesendet, weil der Voucher vorher endete`,
  notKnown: (to: string) => `E-Mail an ${to}`,
  serverSaid: 'Antwort des Mailservers:',
  inStates: (counts: string) => `E-Mails: ${counts}`,

  states: {
    held: 'vorgemerkt',
    waiting: 'wartend',
    sent: 'gesendet',
    failed: 'nicht zugestellt',
    cancelled: 'entfallen',
    unknown: 'unbekannt',
  },
  filters: {
    all: 'Alle',
    unread: 'Ungelesene',
    waiting: 'Wartende',
    sent: 'Gesendete',
    failed: 'Nicht zugestellte',
    cancelled: 'Entfallene',
  },
  /** E-mails to users, which have no voucher. */
  kinds: {
    invitation: 'Einladung',
    'password-reset': 'Link für ein neues Passwort',
    'account-changed': 'Hinweis zum Konto',
    'guest-request': 'Anfrage eines Gastes',
    'backup-failed': 'Sicherung fehlgeschlagen',
  } satisfies Record<AccountMailKind, string>,
  empty: 'Noch keine E-Mails.',
  nothing: 'Keine E-Mail mit diesem Status.',
  to: 'An',
  voucher: 'Voucher',
  kind: 'Art',
  site: 'Standort',
  state: 'Status',
  ordered: 'Erstellt',
  sentAt: 'Gesendet',
  nextAttempt: 'Nächster Versuch',
  attempts: 'Versuche',
  noAttempts: 'Noch kein Versuch.',
  at: 'Zeit',
  duration: 'Dauer',
  answer: 'Antwort des Mailservers',
  accepted: 'angenommen',
  number: (id: number) => `E-Mail ${id}`,
  older: 'Ältere',
  newest: 'Neueste',

  unread: (count: number): string =>
    count === 1
      ? 'Eine E-Mail an einen Gast wurde nicht zugestellt.'
      : `${count} E-Mails an Gäste wurden nicht zugestellt.`,
  look: 'Ansehen',
  details: 'Details',
  checkAddress: 'Bitte die Adresse prüfen.',
  serverFails: 'Der Mailserver nimmt keine E-Mails an',
  serverFailsWhat: 'E-Mails warten und werden gesendet, sobald er wieder antwortet.',
  toServer: 'Zu den Einstellungen',

  texts: 'E-Mail-Texte',
  textsOf: (site: string) => `E-Mail-Texte: ${site}`,
  textsIntro:
    'Was Gäste zusätzlich zu Code, WLAN und Schritten lesen. Für leere Felder gilt der Standardtext.',
  subject: 'Betreff',
  greeting: 'Anrede und Einleitung',
  closing: 'Schluss',
  placeholders: {
    title: 'Platzhalter',
    name: 'Name des Vouchers',
    site: 'Name des Standorts',
    wifi: 'Name des WLANs',
    until: 'wie lange der Voucher gilt',
  } satisfies Record<(typeof MAIL_PLACEHOLDERS)[number] | 'title', string>,
  issues: {
    placeholder: (name: string) => `Den Platzhalter {${name}} gibt es nicht.`,
    tooLong: (most: number) => `Höchstens ${most.toLocaleString('de')} Zeichen.`,
    tooManyLines: (most: number) => `Höchstens ${most} Zeilen.`,
    'line-break': 'Der Betreff darf nur eine Zeile haben.',
    'no-wifi-name': '{wifi} geht noch nicht: Auf dem Zettel des Standorts fehlt der WLAN-Name.',
    invisible: 'Der Text enthält unsichtbare Zeichen.',
  },
  save: 'Speichern',
  preview: 'Vorschau',
  asText: (language: string) => `${language} als Text`,
  sample: (language: string) => `Beispiel an mich senden (${language})`,
  noSampleAddress:
    'Beispiele gehen an die Adresse des eigenen Kontos. Das Konto hat noch keine, an die E-Mails gehen können.',
  sampleSent: (to: string) => `Ein Beispiel ist unterwegs an ${to}.`,
  sampleFailed: 'Der Mailserver hat das Beispiel nicht angenommen.',
  back: 'Zurück zum Standort',
};

export type MailsMessages = typeof mailsDe;
