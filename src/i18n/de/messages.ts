// German messages of the web interface. `Messages`, the type that every language implements, is derived from them.

import { guestDe } from './guest/guest.ts';
import { accountDe } from './staff/account.ts';
import { adminDe } from './staff/admin.ts';
import { apiDocsDe } from './staff/api-docs.ts';
import { batchesDe } from './staff/batches.ts';
import { bulkRevocationDe } from './staff/bulk-revocation.ts';
import { environmentDe } from './staff/environment.ts';
import { failuresDe } from './staff/failures.ts';
import { firstStepsDe } from './staff/first-steps.ts';
import { guestLinkDe } from './staff/guest-link.ts';
import { healthDe } from './staff/health.ts';
import { invitationDe } from './staff/invitation.ts';
import { loginDe } from './staff/login.ts';
import { lostVouchersDe } from './staff/lost-vouchers.ts';
import { mailServerDe } from './staff/mail-server.ts';
import { mailsDe } from './staff/mails.ts';
import { noticesDe } from './staff/notices.ts';
import { overviewDe } from './staff/overview.ts';
import { pairingDe } from './staff/pairing.ts';
import { printJobsDe } from './staff/print-jobs.ts';
import { printersDe } from './staff/printers.ts';
import { profilesDe } from './staff/profiles.ts';
import { requestsDe } from './staff/requests.ts';
import { reserveDe } from './staff/reserve.ts';
import { revokeDe } from './staff/revoke.ts';
import { screensDe } from './staff/screens.ts';
import { secondFactorDe } from './staff/second-factor.ts';
import { logoDe, settingsDe } from './staff/settings.ts';
import { setupDe } from './staff/setup.ts';
import { singleSignOnDe } from './staff/single-sign-on.ts';
import { slipDe } from './staff/slip.ts';
import { vouchersDe } from './staff/vouchers.ts';

export const de = {
  ...guestDe,
  ...vouchersDe,
  ...loginDe,
  ...accountDe,
  admin: adminDe,
  invitation: invitationDe,
  confirmation: {
    title: 'Passwort bestätigen',
    why: 'Vor dieser Änderung bitte noch einmal das eigene Passwort eingeben. Die Eingaben bleiben erhalten.',
    password: 'Eigenes Passwort',
    wrong: 'Das Passwort stimmt nicht.',
    button: 'Bestätigen und weiter',
    again: 'Noch einmal anmelden',
    whyAgain:
      'Vor dieser Änderung bitte noch einmal beim Anmeldedienst anmelden. Danach öffnet sich das Formular wieder; bitte die Eingaben wiederholen.',
    loginAgain: 'Zum Anmeldedienst',
  },
  apiDocs: apiDocsDe,
  batches: batchesDe,
  requests: requestsDe,
  reserve: reserveDe,
  revoke: revokeDe,
  failures: failuresDe,
  bulkRevocation: bulkRevocationDe,
  guestLink: guestLinkDe,
  lostVouchers: lostVouchersDe,
  mails: mailsDe,
  printJobs: printJobsDe,
  secondFactor: secondFactorDe,
  setup: setupDe,
  singleSignOn: singleSignOnDe,
  mailServer: mailServerDe,
  slip: slipDe,
  settings: settingsDe,
  logo: logoDe,
  overview: overviewDe,
  health: healthDe,
  environment: environmentDe,
  firstSteps: firstStepsDe,
  pairing: pairingDe,
  printers: printersDe,
  profiles: profilesDe,
  screens: screensDe,
  notices: noticesDe,
  language: 'Deutsch',
  nav: {
    vouchers: 'Voucher',
    newVoucher: 'Neuer Voucher',
    account: 'Mein Konto',
    logout: 'Abmelden',
    skip: 'Zum Inhalt',
    main: 'Hauptnavigation',
    more: 'Mehr',
  },
  problem: {
    checkFields: (count: number) =>
      count === 1 ? 'Eine Angabe fehlt oder stimmt nicht:' : `${count} Angaben fehlen oder stimmen nicht:`,
    inTitle: 'Fehler: ',
    notFound:
      'Diese Seite gibt es nicht. Vielleicht wurde der Eintrag gelöscht, oder die Adresse ist unvollständig.',
    forbidden: 'Dafür fehlt die Berechtigung. Die Verwaltung kann sie erteilen.',
    roleNotKnown:
      'Diese Version kennt die Rolle dieses Kontos nicht. Die Installation wird gerade aktualisiert; bitte später noch einmal versuchen.',
    back: 'Zurück',
    sentTitle: 'Schon abgesendet',
    sentAlready: 'Dieses Formular wurde schon abgesendet. Es wurde nichts ein zweites Mal erstellt.',
    staleTitle: 'Nicht abgesendet',
    stale:
      'Seit dieses Formular geöffnet wurde, hat sich in diesem Browser jemand neu angemeldet. Es wurde nichts gespeichert. Bitte das Formular neu öffnen und noch einmal ausfüllen.',
    staleKept: (name: string) =>
      `Seit dieses Formular geöffnet wurde, hat sich in diesem Browser jemand neu angemeldet. Es wurde nichts gespeichert, und alle Eingaben sind noch da. Angemeldet ist jetzt: ${name}.`,
    foreignTitle: 'Nicht angenommen',
    foreign:
      'Das Formular stammt von einer anderen Website oder wurde unter einer anderen Adresse geöffnet. Es wurde nichts gespeichert. Bitte das Formular hier neu öffnen.',
    openAgain: 'Formular neu öffnen',
    method: 'Diese Anfrage ist hier nicht möglich.',
    database:
      'Die Datenbank ist gerade nicht erreichbar. Nichts ging verloren; bitte gleich noch einmal versuchen.',
    server:
      'Ein Fehler ist aufgetreten. Bitte noch einmal versuchen. Hilft das nicht, der Verwaltung diese Nummer nennen:',
    tooLarge: 'Die Anfrage ist zu groß.',
    unstorable:
      'Die Eingabe enthält ein Zeichen, das nicht gespeichert werden kann. Es wurde nichts gespeichert; bitte den Text eintippen, nicht einfügen.',
    tooSlow: 'Die Daten kamen zu langsam an. Es wurde nichts gespeichert; bitte noch einmal versuchen.',
    home: 'Zur Startseite',
  },
};

export type Messages = typeof de;
