// German messages of the web interface. `Messages`, the type that every language implements, is derived from them.

import { batchesDe } from '../batches/batch-texts-de.ts';
import { healthDe } from '../health/health-texts-de.ts';
import { overviewDe } from '../overview/overview-texts-de.ts';
import { profilesDe } from '../profiles/profile-texts-de.ts';
import { invitationDe } from '../sessions/invitation-texts-de.ts';
import { loginDe } from '../sessions/login-texts-de.ts';
import { setupDe } from '../sessions/setup-texts-de.ts';
import { environmentDe } from '../settings/environment-texts-de.ts';
import { firstStepsDe } from '../settings/first-step-texts-de.ts';
import { logoDe, settingsDe } from '../settings/settings-texts-de.ts';
import { slipDe } from '../slips/slip-texts-de.ts';
import { accountDe } from '../users/account/account-texts-de.ts';
import { secondFactorDe } from '../users/second-factor-texts-de.ts';
import { bulkRevocationDe } from '../vouchers/texts/bulk-revocation-texts-de.ts';
import { guestDe } from '../vouchers/texts/guest-texts-de.ts';
import { lostVouchersDe } from '../vouchers/texts/lost-voucher-texts-de.ts';
import { revokeDe } from '../vouchers/texts/revoke-texts-de.ts';
import { vouchersDe } from '../vouchers/texts/voucher-texts-de.ts';
import { adminDe } from './admin-texts-de.ts';
import { failuresDe } from './failure-texts-de.ts';
import { noticesDe } from './notice-texts-de.ts';

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
  batches: batchesDe,
  revoke: revokeDe,
  failures: failuresDe,
  bulkRevocation: bulkRevocationDe,
  lostVouchers: lostVouchersDe,
  secondFactor: secondFactorDe,
  setup: setupDe,
  slip: slipDe,
  settings: settingsDe,
  logo: logoDe,
  overview: overviewDe,
  health: healthDe,
  environment: environmentDe,
  firstSteps: firstStepsDe,
  profiles: profilesDe,
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
