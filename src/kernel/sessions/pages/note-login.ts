// Counts every attempt to log in for the metrics, and writes failed attempts to the log.

import { toOneLine } from '../../../platform/text/one-line.ts';
import { LOGINS } from '../../health/kernel-metrics.ts';
import type { PageContext } from '../../pages/context.ts';
import { MAX_EMAIL_LENGTH } from '../../users/email-address.ts';
import { isEmail } from '../../users/user.ts';

interface LoginAttempt {
  account: string;
  /** `success`, `code-asked`, or why it failed. */
  result: string;
  /** The error message of the identity provider, or of the check of its response. */
  detail?: string;
}

/** Must be called for every attempt to log in. */
export function noteLogin({ app, request }: PageContext, { account, result, detail }: LoginAttempt): void {
  app.count(LOGINS, { result });
  if (result === 'success' || result === 'code-asked') return;
  // Only e-mail addresses are logged, because users sometimes type their password into the wrong field.
  const name = isEmail(account) ? toOneLine(account.slice(0, MAX_EMAIL_LENGTH)) : '';
  const attempt = { requestId: request.id, ip: request.clientIp(), account: name, reason: result, detail };
  app.log.warn(attempt, 'login failed');
}
