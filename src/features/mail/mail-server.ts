// The mail server through which mails are sent, and the store for what an administrator has set up in the browser.

import type { AuditContext } from '../../kernel/audit/audit-log.ts';
import type { MailAddress } from '../../platform/text/mail-address.ts';
import type { OrUnknown } from '../../platform/values/unknown-value.ts';

/** `implicit`: TLS from the first byte. `required`: the connection must change to TLS by STARTTLS. */
export const MAIL_TLS = ['implicit', 'required', 'off'] as const;
export type MailTls = (typeof MAIL_TLS)[number];

export interface MailServer {
  host: string;
  port: number;
  tls: MailTls;
  /** Absent for a relay that asks for none. */
  credentials?: { username: string; password: string };
  /** Certificates that are trusted besides those of the system, as PEM. */
  ca?: string;
  from: MailAddress;
  /** The rule for the IP addresses of a server that was set up in the browser. Absent if every address is allowed. */
  targets?: 'any' | 'public';
  /** How many mails all instances together send in an hour; null for any number. */
  perHour: number | null;
}

/** A server as it is stored. It cannot be used if its encryption is unknown or its password cannot be opened. */
export interface StoredMailServer extends Omit<MailServer, 'tls' | 'credentials'> {
  tls: OrUnknown<MailTls>;
  /** The password is null if it cannot be opened. */
  credentials?: { username: string; password: string | null };
}

/** The environment takes precedence over the browser. */
export interface MailSetup {
  server: MailServer;
  source: 'environment' | 'browser';
}

export interface MailServerStore {
  /** Undefined if e-mail is not set up, or if the stored server cannot be used. */
  find(): Promise<MailSetup | undefined>;
  /** What is stored for the browser, even if the environment takes precedence. */
  findStored(): Promise<StoredMailServer | undefined>;
  /** Also ends the pause of the server. */
  save(server: MailServer, audit: AuditContext): Promise<void>;
  /** False if nothing was stored. */
  remove(audit: AuditContext): Promise<boolean>;
  /** Called at the start of the service, because the environment or the network may have changed. */
  endPause(): Promise<void>;
}
