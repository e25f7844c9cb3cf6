// Counts every login in the metrics and writes failed logins to the log, also those refused without a check.

import { toOneLine } from '../../../domain/one-line.ts';
import type { ProviderLoginProblem } from '../../../domain/single-sign-on/provider-login.ts';
import { MAX_EMAIL_LENGTH } from '../../../domain/users/email-address.ts';
import { isEmail } from '../../../domain/users/user.ts';
import type { PageContext } from '../../http/context.ts';
import type { LoginProblem } from './login-form.ts';

interface LoginAttempt {
  account: string;
  result:
    | 'success'
    | 'code-asked'
    | 'wrong-confirmation'
    | LoginProblem['kind']
    | ProviderLoginProblem['kind'];
  /** What the identity provider or the check of its response said. */
  detail?: string;
}

/** Called for every attempt to log in. */
export function noteLogin({ app, request }: PageContext, { account, result, detail }: LoginAttempt): void {
  app.observeLogin(result);
  if (result === 'success' || result === 'code-asked') return;
  // Users sometimes type the password into the field for the e-mail address.
  const name = isEmail(account) ? toOneLine(account.slice(0, MAX_EMAIL_LENGTH)) : '';
  const attempt = { requestId: request.id, ip: request.clientIp(), account: name, reason: result, detail };
  app.log.warn(attempt, 'login failed');
}
