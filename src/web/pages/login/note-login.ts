// Counts every login in the metrics and writes failed logins to the log, also those refused without a check.

import { toOneLine } from '../../../domain/one-line.ts';
import type { ProviderSignInProblem } from '../../../domain/single-sign-on/sign-in-with-provider.ts';
import { MAX_EMAIL_LENGTH } from '../../../domain/users/email-address.ts';
import { isEmail } from '../../../domain/users/user.ts';
import type { DoorProblem } from './login-form.ts';

/** Called for every attempt to log in. */
export type NoteLogin = (attempt: {
  requestId: string;
  ip: string;
  account: string;
  result:
    | 'success'
    | 'code-asked'
    | 'wrong-confirmation'
    | DoorProblem['kind']
    | ProviderSignInProblem['kind'];
  /** What the identity provider or the check of its response said. */
  detail?: string;
}) => void;

interface Deps {
  observeLogin: (result: string) => void;
  log: { warn(fields: object, message: string): void };
}

export function makeNoteLogin({ observeLogin, log }: Deps): NoteLogin {
  return ({ requestId, ip, account, result, detail }) => {
    observeLogin(result);
    const isFailure = result !== 'success' && result !== 'code-asked';
    // Users sometimes type the password into the field for the e-mail address.
    const name = isEmail(account) ? toOneLine(account.slice(0, MAX_EMAIL_LENGTH)) : '';
    if (isFailure) log.warn({ requestId, ip, account: name, reason: result, detail }, 'login failed');
  };
}
