// What comes of a conversation with a mail server, and the interface for it.

import type { MailServer } from './mail-server.ts';
import type { OutgoingMail } from './outgoing-mail.ts';

/**
 * `connect`: until the server has greeted. `tls`: STARTTLS, the handshake and the certificate. `sender` and
 * `recipient`: the server was told who sends the mail, and to whom. `content`: from the moment the server is asked to
 * take the mail.
 */
export type SmtpPhase = 'connect' | 'tls' | 'login' | 'sender' | 'recipient' | 'content';

export interface SmtpFailure {
  ok: false;
  phase: SmtpPhase;
  /** The status of the server's reply; null if there was none. */
  status: number | null;
  /**
   * The server's own words, or what happened if it said nothing. One line without secrets and without the address of
   * the guest.
   */
  text: string;
  /** Whether the server said that trying again is of no use. */
  isFinal: boolean;
  /** The code of an error without a reply, such as `ECONNREFUSED`. */
  code?: string;
}

export type SmtpResult = { ok: true; response: string } | SmtpFailure;

export interface Smtp {
  send(server: MailServer, mail: OutgoingMail, signal: AbortSignal): Promise<SmtpResult>;
  /** Connects and logs in, but sends no mail. */
  check(server: MailServer, signal: AbortSignal): Promise<SmtpResult>;
}
