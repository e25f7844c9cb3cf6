// `gastpass mail log` and `gastpass mail resend`: list mails to guests and send one again. Addresses are masked.

import { auditContext } from '../../kernel/command-tools.ts';
import { asMessageId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { type Command, CommandFailed, readNumber, texts } from '../../platform/cli/command.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import type { LoggedMail } from './mail.ts';
import type { ResendProblem } from './resend-mail.ts';

const SHOWN = 50;
const MAX_SHOWN = 1_000;

const WHY_NOT: Record<ResendProblem['kind'], string> = {
  'mail-not-found': 'there is no such e-mail to a guest; see gastpass mail log',
  'mail-not-resendable': 'it waits for its voucher, or it was cancelled',
  'voucher-not-found': 'its voucher does not exist',
  'voucher-ended': 'its voucher has ended',
  'mail-not-set-up': 'e-mail is not set up',
  'too-many-mails': 'too many e-mails were ordered in the last hour; try again later',
};

const log: Command = {
  name: 'mail log',
  summary: 'Show the latest e-mails to guests and users, newest first, with masked addresses.',
  usage: `[--limit 1-${MAX_SHOWN}]`,
  options: texts('limit'),
  prints: true,
  async run(args, { withInstallation }) {
    const limit = args.count('limit', MAX_SHOWN) ?? SHOWN;
    const found = await withInstallation(({ mails }) => mails.search({ limit }));
    if (args.has('json')) printJson(found.map(toRow));
    else printTable(found.map(toRow), 'No e-mails yet.');
  },
};

function toRow(mail: LoggedMail) {
  return {
    id: mail.id,
    kind: sayKnown(mail.kind),
    voucher_id: mail.voucherId,
    address: mail.maskedAddress,
    state: sayKnown(mail.state),
    attempts: mail.attempts,
    last_error: mail.lastError,
    message_id: mail.messageId,
    sent_at: toTime(mail.sentAtMs),
  };
}

const resend: Command = {
  name: 'mail resend',
  summary: 'Send an e-mail again, or a waiting one now, and print the id of the e-mail that will be sent.',
  usage: '<id>',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const id = asMessageId(readNumber(args.positional(0), 'mail'));
    const resent = await withInstallation(async (installation) => {
      const siteIds = (await installation.sites.list()).map((site) => site.id);
      return (await resendMailOf(installation))(id, { actor: auditContext(installation).actor, siteIds });
    });
    if (!resent.ok) throw new CommandFailed(`e-mail ${id} is not sent: ${WHY_NOT[resent.problem.kind]}`);
    if (args.has('json')) printJson({ id: resent.value });
    else print(String(resent.value));
  },
};

async function resendMailOf(installation: Installation) {
  return (await import('./mail-use-cases.ts')).makeMailUseCases(installation).resendMail;
}

export const mailLogCommands = [log, resend];
