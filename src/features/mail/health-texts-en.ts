// English texts about the health of e-mail: the mail server, and mails that wait or have failed.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { MailHealthFacts } from './judge-mail.ts';
import { mailServerEn } from './mail-server-texts-en.ts';

export const saidOfMailEn = {
  ...titled('Mail server', {
    'mail-ok': ({ host, port }) => ({ text: `${host}, port ${port}: can be reached` }),
    'mail-failing': ({ host, port, advice, detail }) => ({
      text: `No e-mails can be sent through ${host}, port ${port}; they wait.`,
      todo: mailServerEn.advice[advice],
      detail,
    }),
    'mail-not-known': () => ({ text: mailServerEn.unknownTls, todo: 'Upgrade the service.' }),
    'mail-unreadable': () => ({
      text: mailServerEn.unreadable,
      todo: 'Enter the password again under Settings › E-mail.',
    }),
    'mail-paused': ({ failures, detail }) => ({
      text: `After ${failures === 1 ? '1 failure' : `${failures} failures`}, sending has paused; the e-mails wait.`,
      todo: 'Send a test e-mail: if the server accepts it, the pause ends.',
      detail,
    }),
  }),
  'mails-late': ({ count, oldestMs }, { duration }) => ({
    title: 'E-mails',
    text: `${count === 1 ? '1 e-mail has been waiting' : `${count} e-mails are waiting, the oldest`} for ${duration(oldestMs)}.`,
    todo: 'Check the mail server. If the number of e-mails per hour is limited, raise the limit.',
  }),
  'mails-failed': ({ count }) => ({
    title: 'E-mails',
    text: `${count === 1 ? '1 e-mail was' : `${count} e-mails were`} not delivered.`,
    todo: 'See why under Vouchers › E-mails, or with gastpass mail log. If the address is wrong, send the voucher to the right one, then mark the e-mail as read.',
  }),
} satisfies Pick<SaidOf, keyof MailHealthFacts>;
