// Says in which phase a conversation with a mail server failed, and why.

import type { NodemailerError } from 'nodemailer/lib/errors';
import type { MailServer } from '../mail-server.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';
import type { SmtpFailure, SmtpPhase } from '../smtp.ts';
import { toReplyWords, toServerWords } from './server-words.ts';
import type { SmtpProgress } from './smtp-progress.ts';

export function failure(message: string, code: string): NodemailerError {
  return Object.assign(new Error(message), { code });
}

export function toLibraryError(error: unknown): NodemailerError {
  return error instanceof Error ? error : new Error(String(error));
}

export function toFailure(
  error: NodemailerError,
  { server, mail }: { server: MailServer; mail?: OutgoingMail | undefined },
  progress: SmtpProgress,
): SmtpFailure {
  const { response, originalCode = error.code } = error;
  const status = readStatus(error.responseCode);
  const code = toCode(error.name, originalCode);
  return {
    ok: false,
    phase: phaseOf(error, progress),
    status,
    text:
      response === undefined
        ? toServerWords(describe(error.message, code), server, mail?.to)
        : toReplyWords(response, server, mail?.to),
    isFinal: status !== null && status >= 500,
    ...(response === undefined && code !== undefined && { code }),
  };
}

/** The reason of an aborted signal has a number for a code. A page or a command waits only for a while. */
function toCode(name: string, code: unknown): string | undefined {
  if (name === 'TimeoutError') return 'ETIMEDOUT';
  return typeof code === 'string' ? code : undefined;
}

/** If several commands were sent at once, the library reports a refusal only after the reply to the last one. */
function phaseOf({ command, response }: NodemailerError, progress: SmtpProgress): SmtpPhase {
  if (command === 'MAIL FROM') return 'sender';
  if (command === 'RCPT TO') return 'recipient';
  return response === undefined ? progress.awaited() : progress.answered();
}

function readStatus(status = 0): number | null {
  return status >= 200 && status < 600 ? status : null;
}

/** What happened if the server said nothing. */
function describe(message: string, code = ''): string {
  if (code === 'ETIMEDOUT') return 'the server did not answer in time';
  if (code === 'ECONNECTION') return 'the server closed the connection';
  return withoutInternals(message) || code || 'unknown error';
}

/** Node adds a hint for developers to a refused certificate. OpenSSL puts the reason between numbers and file names. */
function withoutInternals(message: string): string {
  const [, reason] = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(message) ?? [];
  return reason ?? message.replace(/; if the root CA is installed locally, .*$/, '');
}
