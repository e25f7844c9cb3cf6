// Sends mails through an SMTP server, each on its own connection, and says which phase of the conversation failed.

import type { MailServer } from '../mail-server.ts';
import type { OutgoingMail } from '../outgoing-mail.ts';
import type { Smtp, SmtpResult } from '../smtp.ts';
import type { SmtpLimits } from './smtp-session.ts';

const LIMITS: SmtpLimits = { greetingMs: 15_000, idleMs: 60_000, wholeMs: 300_000, quitMs: 2_000 };

/** `pace` scales all time limits; 1 is real time. */
export function makeSmtp({ pace = 1 }: { pace?: number } = {}): Smtp {
  const { greetingMs, idleMs, wholeMs, quitMs } = LIMITS;
  const limits: SmtpLimits = {
    greetingMs: greetingMs * pace,
    idleMs: idleMs * pace,
    wholeMs: wholeMs * pace,
    quitMs: quitMs * pace,
  };

  // Loads the mail library only with the first mail.
  async function run(server: MailServer, signal: AbortSignal, mail?: OutgoingMail): Promise<SmtpResult> {
    const { runSession } = await import('./smtp-session.ts');
    return runSession({ server, mail, limits, signal });
  }

  return {
    send: (server, mail, signal) => run(server, signal, mail),
    check: (server, signal) => run(server, signal),
  };
}
