// `gastpass mail …`: test the mail server. `mail-log.ts` has the commands for the log.

import { type Command, CommandFailed, texts, WrongUsage } from '../../platform/cli/command.ts';
import { print, printJson } from '../../platform/cli/print.ts';
import { isMailAddress } from '../../platform/text/mail-address.ts';
import { mailLogCommands } from './mail-log-command.ts';
import { mailServerEn } from './mail-server-texts-en.ts';
import type { MailTestResult } from './test-mail.ts';

/** How long the command waits for the mail server. */
const PATIENCE_MS = 60_000;

const test: Command = {
  name: 'mail test',
  summary: 'Send a test e-mail now, and show the response of the mail server.',
  usage: '--to ADDRESS',
  help: 'The service need not run. The mail server is set up under Settings › E-mail, or by SMTP_URL and MAIL_FROM.',
  options: texts('to'),
  prints: true,
  async run(args, { withInstallation }) {
    const to = args.required('to');
    if (!isMailAddress(to)) throw new WrongUsage('--to: expected an e-mail address of plain ASCII');
    const result = await withInstallation(async (installation) => {
      const { openMailTests } = await import('./mail-test-use-case.ts');
      const { title } = await installation.settings.read();
      const mail = {
        to,
        language: 'en' as const,
        subject: mailServerEn.testSubject(title),
        text: mailServerEn.testText,
      };
      return openMailTests(installation).send(mail, AbortSignal.timeout(PATIENCE_MS));
    });
    if (args.has('json')) printJson(toJson(result));
    if (!result)
      throw new CommandFailed(
        'e-mail is not set up: set up the mail server under Settings › E-mail, or set SMTP_URL and MAIL_FROM',
      );
    if (!result.ok)
      throw new CommandFailed(`not sent: ${result.text}`, `  ${mailServerEn.advice[result.advice]}`);
    if (!args.has('json')) print(`accepted by the mail server: ${result.response}`);
  },
};

function toJson(result: MailTestResult | undefined) {
  if (!result) return { ok: false, response: null, advice: 'not-set-up' };
  return result.ok
    ? { ok: true, response: result.response }
    : { ok: false, response: result.text, advice: result.advice };
}

export const mailCommands = [test, ...mailLogCommands];
