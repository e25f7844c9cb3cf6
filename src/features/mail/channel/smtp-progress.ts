// Knows how far a conversation with a mail server has come, so that every failure can be assigned to a phase: also a
// lost connection and a missing reply, of which the mail library does not say when they happened. Reads the library's
// log of commands and replies.

import type { SmtpPhase } from '../smtp.ts';

const PHASES: Record<string, SmtpPhase> = {
  EHLO: 'connect',
  HELO: 'connect',
  STARTTLS: 'tls',
  MAIL: 'sender',
  RCPT: 'recipient',
  DATA: 'content',
};

export interface SmtpProgress {
  /** For the mail library. */
  logger: { debug(entry: { tnx?: string }, line: string): void };
  /** Notes a phase that begins without a command. */
  enter(phase: SmtpPhase): void;
  /** The phase of the reply that came last. */
  answered(): SmtpPhase;
  /** The phase of the reply that is missing. */
  awaited(): SmtpPhase;
}

export function makeSmtpProgress(): SmtpProgress {
  let current: SmtpPhase = 'connect';
  // Several commands may be sent at once. The server replies to them in turn.
  const awaited: SmtpPhase[] = [];

  return {
    logger: {
      debug({ tnx }, line) {
        if (tnx === 'client') awaited.push(phaseOf(line));
        if (tnx === 'server') current = awaited.shift() ?? current;
      },
    },
    enter(phase) {
      current = phase;
    },
    answered: () => current,
    awaited: () => awaited[0] ?? current,
  };
}

/** A login consists of several lines, and only the first begins with a command. */
function phaseOf(line: string): SmtpPhase {
  const [command = ''] = line.split(/[ :]/, 1);
  return PHASES[command] ?? 'login';
}
