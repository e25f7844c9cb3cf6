// German messages for the set-up of the mail server.

import type { MailTls } from './mail-server.ts';
import type { SmtpAdvice } from './smtp-advice.ts';

const advice: Record<SmtpAdvice, string> = {
  'unknown-host':
    'Der Name des Servers lässt sich nicht auflösen. Bitte die Schreibweise und das DNS dieses Rechners prüfen.',
  refused:
    'Auf diesem Port nimmt der Server keine Verbindung an. Üblich sind 587 (STARTTLS), 465 (TLS) und 25 (Relay).',
  unreachable: 'Der Server ist von hier aus nicht erreichbar. Bitte Netz und Firewall prüfen.',
  forbidden: 'Mit dieser Adresse darf sich Gastpass nicht verbinden; siehe die Einstellung WEBHOOK_TARGETS.',
  'timed-out':
    'Der Server antwortet nicht. Oft sperrt eine Firewall oder der Anbieter den Port, besonders Port 25.',
  'wrong-port': 'Port und Verschlüsselung passen nicht zusammen: 465 mit TLS, 587 mit STARTTLS.',
  'no-starttls':
    'Der Server bietet kein STARTTLS an. Bitte Port 465 mit TLS versuchen. „Keine“ passt nur zu einem Relay im eigenen Netz.',
  'tls-required': 'Der Server verlangt eine verschlüsselte Verbindung. Bitte STARTTLS oder TLS wählen.',
  certificate:
    'Dem Zertifikat des Servers wird nicht vertraut. Den Server unter dem Namen eintragen, für den das Zertifikat gilt; ein eigenes Zertifikat unter „Mehr“ oder mit SMTP_CA_FILE hinterlegen.',
  'login-not-offered':
    'Der Server bietet keine Anmeldung mit Passwort an. Bei einem Relay Benutzername und Passwort leer lassen; manche Server bieten die Anmeldung nur mit Verschlüsselung an.',
  'login-required': 'Der Server verlangt eine Anmeldung. Bitte Benutzername und Passwort eintragen.',
  'login-refused':
    'Benutzername oder Passwort stimmt nicht. Der Benutzername ist meist die ganze E-Mail-Adresse.',
  'app-password':
    'Google nimmt hier nur ein App-Passwort an. Es lässt sich im Google-Konto erzeugen, wenn dort die Bestätigung in zwei Schritten eingeschaltet ist.',
  'smtp-auth-disabled':
    'Microsoft 365 hat die Anmeldung mit Passwort für dieses Postfach abgeschaltet. Besser ein Relay über einen Connector nutzen, oder „Authentifiziertes SMTP“ für das Postfach einschalten.',
  'sender-refused':
    'Unter dieser Absenderadresse darf das Konto nicht senden. Meist muss der Absender das Postfach selbst sein.',
  'relay-denied':
    'Der Server leitet E-Mails von hier nicht weiter. Bitte diesen Rechner dort freigeben oder Benutzername und Passwort eintragen.',
  'recipient-refused': 'Der Server nimmt diese Empfängeradresse nicht an. Bitte die Adresse prüfen.',
  'try-later':
    'Der Server nimmt diese E-Mail im Moment nicht an. Manche Server tun das beim ersten Versuch immer (Greylisting). Bitte in einigen Minuten noch einmal versuchen.',
  'rate-limited':
    'Der Anbieter begrenzt die Zahl der E-Mails. Bitte später noch einmal versuchen und unter „Mehr“ weniger E-Mails pro Stunde eintragen.',
  other: 'Oft hilft die Anleitung des Anbieters weiter.',
};

const encryption: Record<MailTls, { label: string; hint: string }> = {
  required: { label: 'STARTTLS', hint: 'verschlüsselt, meist Port 587' },
  implicit: { label: 'TLS', hint: 'von Anfang an verschlüsselt, meist Port 465' },
  off: { label: 'Keine', hint: 'nur für ein Relay im eigenen Netz, meist Port 25' },
};

export const mailServerDe = {
  title: 'E-Mail',
  card: 'Mailserver für E-Mails an Gäste und Benutzer',
  open: 'E-Mail einrichten',
  intro:
    'Über diesen Mailserver gehen Voucher an Gäste und Links für Passwörter an Benutzer. Ist keiner eingerichtet, wird nichts gesendet.',
  server: 'Mailserver',
  quick: 'Vorlagen',
  picks: {
    microsoft: {
      label: 'Microsoft 365',
      note: 'Microsoft 365: Das Postfach braucht „Authentifiziertes SMTP“, das meist abgeschaltet ist. Sicherer ist ein Relay über einen Connector.',
    },
    google: {
      label: 'Google',
      note: 'Google: Als Passwort ein App-Passwort eintragen, nicht das des Kontos.',
    },
    hosting: {
      label: 'Postfach beim Anbieter',
      note: 'Den Namen des Postausgangsservers nennt der Anbieter. Benutzername ist meist die ganze E-Mail-Adresse.',
    },
    relay: {
      label: 'Relay im eigenen Netz',
      note: 'Ein Relay braucht kein Passwort. Es muss diesem Rechner erlauben, E-Mails zu senden.',
    },
  },
  fromEnvironment:
    'Der Mailserver steht in den Umgebungsvariablen (SMTP_…, MAIL_…) und lässt sich hier nicht ändern.',
  storedToo: (host: string) =>
    `Im Browser wurde außerdem ${host} eingerichtet. Dieser Server gilt erst, wenn die Umgebungsvariablen entfernt sind.`,
  unknownTls:
    'Die Verschlüsselung wurde mit einer neueren Version von Gastpass gewählt. Diese Version kann sie nicht nutzen und sendet nichts. Speichern ersetzt sie.',
  unreadable:
    'Das gespeicherte Passwort lässt sich nicht entschlüsseln, deshalb wird nichts gesendet. Bitte neu eintragen.',
  plainPassword:
    'Das Passwort geht unverschlüsselt durchs Netz: Wer mitliest, kann in fremdem Namen E-Mails senden.',
  host: 'Server',
  hostHint: 'Zum Beispiel mail.example.org',
  hostWrong: 'Bitte den Namen oder die IP-Adresse des Servers eintragen, ohne Port und ohne smtp://.',
  port: 'Port',
  portWrong: 'Bitte eine Zahl von 1 bis 65535 eintragen.',
  tls: 'Verschlüsselung',
  tlsWrong: 'Bitte eine Verschlüsselung wählen.',
  encryption,
  user: 'Benutzername',
  userHint: 'Leer lassen, wenn der Server keine Anmeldung verlangt.',
  userMissing: 'Bitte den Benutzernamen eintragen oder das Passwort leeren.',
  userWrong: 'Der Benutzername enthält unzulässige Zeichen.',
  password: 'Passwort',
  passwordKept: 'Gespeichert. Leer lassen, um es zu behalten.',
  passwordTyped: 'Eingegeben. Bleibt erhalten.',
  passwordMissing: 'Bitte das Passwort eintragen.',
  passwordAgain: 'Die Verbindung oder der Benutzername ist neu: Bitte das Passwort noch einmal eintragen.',
  passwordWrong: 'Das Passwort enthält unzulässige Zeichen.',
  fromName: 'Name des Absenders',
  fromNameHint: 'Zum Beispiel der Name des Hauses',
  fromNameWrong: 'Höchstens 100 Zeichen, ohne Zeilenumbrüche und spitze Klammern.',
  from: 'Adresse des Absenders',
  fromWrong: 'Bitte eine E-Mail-Adresse ohne Umlaute eintragen, zum Beispiel wlan@example.org.',
  more: 'Mehr',
  perHour: 'E-Mails pro Stunde',
  perHourHint: 'Leer: so viele wie nötig. Viele Anbieter begrenzen die Zahl.',
  perHourWrong: 'Bitte eine Zahl von 1 bis 100000 eintragen oder das Feld leeren.',
  ca: 'Eigenes Zertifikat (PEM)',
  caHint:
    'Nur nötig, wenn das Zertifikat des Servers selbst signiert ist oder von einer eigenen Zertifizierungsstelle kommt.',
  caWrong: 'Das ist kein Zertifikat im PEM-Format.',
  remove: 'E-Mail abschalten',
  removeAsk: 'E-Mail abschalten?',
  removeWhat: (host: string) =>
    `Der Mailserver ${host} wird mit seinem Passwort entfernt. Wartende E-Mails werden erst gesendet, wenn wieder ein Mailserver eingerichtet ist.`,
  check: 'Verbindung prüfen',
  works: 'Der Mailserver ist erreichbar, und die Anmeldung klappt.',
  worksWithoutLogin: 'Der Mailserver ist erreichbar.',
  failed: 'Der Mailserver funktioniert so noch nicht.',
  test: 'Test-E-Mail',
  testTo: 'An',
  testSend: 'Test-E-Mail senden',
  testWrong: 'Bitte eine E-Mail-Adresse ohne Umlaute eintragen.',
  tested: (address: string) => `Der Mailserver hat die Test-E-Mail an ${address} angenommen.`,
  testFailed: 'Die Test-E-Mail wurde nicht gesendet.',
  said: (text: string) => `Meldung: ${text}`,
  testSubject: (title: string) => `Test-E-Mail von ${title}`,
  testText: 'Diese E-Mail hat Gastpass zum Test gesendet. Kommt sie an, funktioniert der Mailserver.',
  advice,
  toSetup: 'E-Mail einrichten',
};

export type MailServerMessages = typeof mailServerDe;
