// German texts about the health of e-mail: the mail server, and mails that wait or have failed.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { MailHealthFacts } from './judge-mail.ts';
import { mailServerDe } from './mail-server-texts-de.ts';

export const saidOfMailDe = {
  ...titled('Mailserver', {
    'mail-ok': ({ host, port }) => ({ text: `${host}, Port ${port}: erreichbar` }),
    'mail-failing': ({ host, port, advice, detail }) => ({
      text: `Über ${host}, Port ${port}, lassen sich keine E-Mails senden; sie warten.`,
      todo: mailServerDe.advice[advice],
      detail,
    }),
    'mail-not-known': () => ({ text: mailServerDe.unknownTls, todo: 'Den Dienst aktualisieren.' }),
    'mail-unreadable': () => ({
      text: mailServerDe.unreadable,
      todo: 'Unter Einstellungen › E-Mail das Passwort neu eintragen.',
    }),
    'mail-paused': ({ failures, detail }) => ({
      text: `Nach ${failures === 1 ? 'einem Fehler' : `${failures} Fehlern`} macht der Versand eine Pause; die E-Mails warten.`,
      todo: 'Eine Test-E-Mail senden: Nimmt der Server sie an, endet die Pause.',
      detail,
    }),
  }),
  'mails-late': ({ count, oldestMs }, { duration }) => ({
    title: 'E-Mails',
    text: `${count === 1 ? 'Eine E-Mail wartet' : `${count} E-Mails warten, die älteste`} schon ${duration(oldestMs)}.`,
    todo: 'Den Mailserver prüfen. Ist die Zahl der E-Mails pro Stunde begrenzt, die Grenze erhöhen.',
  }),
  'mails-failed': ({ count }) => ({
    title: 'E-Mails',
    text: `${count === 1 ? 'Eine E-Mail wurde' : `${count} E-Mails wurden`} nicht zugestellt.`,
    todo: 'Unter Voucher › E-Mails nachsehen, warum. Stimmt die Adresse nicht, den Voucher an die richtige senden, dann die E-Mail als gelesen vermerken.',
  }),
} satisfies Pick<SaidOf, keyof MailHealthFacts>;
