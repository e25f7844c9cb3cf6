// Rules for e-mail: whether the mail server works, and whether mails wait for too long or have failed. If e-mail is not
// set up, there is nothing to say. A sender on another domain than the user name is no problem.

import { type Finding, fault, passed, warning } from '../../kernel/health/finding.ts';
import type { Backlog } from '../../platform/database/backlogs.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { StoredMailServer } from './mail-server.ts';
import type { SmtpAdvice } from './smtp-advice.ts';
import type { MailTestResult } from './test-mail.ts';

/** What System health and `doctor` say about e-mail. */
export interface MailHealthFacts {
  'mail-ok': { host: string; port: number };
  'mail-failing': { host: string; port: number; advice: SmtpAdvice; detail: string };
  /** The encryption of the stored server is of a newer release. */
  'mail-not-known': { host: string };
  /** The password of the stored server cannot be opened. */
  'mail-unreadable': { host: string };
  'mail-paused': { failures: number; detail: string };
  'mails-late': { count: number; oldestMs: number };
  'mails-failed': { count: number };
}

declare module '../../kernel/health/finding.ts' {
  interface HealthFacts extends MailHealthFacts {}
}

const LATE_MS = 60 * 60_000;

export interface MailFacts {
  /** `host` and `port` of the server that is used, with what came of the check; undefined if there is none. */
  server: { host: string; port: number; result: MailTestResult } | undefined;
  /** The server of the browser, which may be stored in a way that cannot be used. */
  stored: StoredMailServer | undefined;
  /** The failures in a row that made the server pause. */
  failures: number;
  lastError: string | null;
  backlog: Backlog;
  /** How many mails failed without a user having read it. */
  unread: number;
}

export function judgeMail({ server, stored, failures, lastError, backlog, unread }: MailFacts): Finding[] {
  return [
    ...judgeServer({ server, stored }),
    ...(server?.result.ok && failures > 0
      ? [warning({ kind: 'mail-paused', failures, detail: lastError ?? '' })]
      : []),
    ...(backlog.oldestMs > LATE_MS ? [warning({ kind: 'mails-late', ...backlog })] : []),
    ...(unread > 0 ? [warning({ kind: 'mails-failed', count: unread })] : []),
  ];
}

function judgeServer({ server, stored }: Pick<MailFacts, 'server' | 'stored'>): Finding[] {
  if (!server) {
    if (!stored) return [];
    return [
      fault({ kind: stored.tls === UNKNOWN ? 'mail-not-known' : 'mail-unreadable', host: stored.host }),
    ];
  }
  const { host, port, result } = server;
  return [
    result.ok
      ? passed({ kind: 'mail-ok', host, port })
      : fault({ kind: 'mail-failing', host, port, advice: result.advice, detail: result.text }),
  ];
}
