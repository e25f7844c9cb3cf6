// The logins of both flavours. The classic server returns an envelope and an opaque cookie. The UniFi OS console
// returns a user object, a signed cookie and a CSRF token, and limits the number of logins.

import type { Envelope } from './classic/envelope.ts';
import { readArguments } from './classic/read-arguments.ts';
import type { ConsoleState } from './console-state.ts';
import {
  type ConsoleResponse,
  consoleErrorResponse,
  headerOf,
  jsonResponse,
  type SimulatedRequest,
} from './http.ts';
import { COOKIE_NAMES } from './permission-check.ts';
import type { Session } from './sessions.ts';

export interface Login {
  onClassic(request: SimulatedRequest): ConsoleResponse;
  onUnifiOs(request: SimulatedRequest): ConsoleResponse;
  /** The account as UniFi OS shows it, at login and on `/api/users/self`. */
  user: object;
}

export function makeLogin(state: ConsoleState, envelope: Envelope): Login {
  const { username, password, sessions, tallies } = state;
  const user = {
    unique_id: state.controllerUuid,
    username,
    full_name: 'Voucher Bot',
    status: 'ACTIVE',
    local_account_exist: true,
    roles: [{ name: 'Super Administrator', system_key: 'super_administrator', level: 2 }],
    permissions: { 'network.management': ['admin'] },
  };

  /** Undefined for a wrong user name or password. */
  function open(request: SimulatedRequest): { session: Session; isStrict: boolean } | undefined {
    const fields = readArguments(request) ?? {};
    if (fields.username !== username || fields.password !== password) {
      tallies.loginsRefused++;
      return undefined;
    }
    tallies.logins++;
    const isRemembered = fields.remember === true || fields.rememberMe === true;
    return { session: sessions.open(isRemembered), isStrict: fields.strict === true };
  }

  return {
    user,
    onClassic(request) {
      const opened = open(request);
      if (!opened) return envelope.refuse(400, 'api.err.Invalid');
      const { session, isStrict } = opened;
      // One known client reads only the first cookie, so the session cookie comes first.
      const cookies = [`${COOKIE_NAMES['unifi-classic']}=${session.token}; Path=/; Secure; HttpOnly`];
      if (isStrict) cookies.push(`csrf_token=${session.csrfToken}; Path=/; Secure`);
      return envelope.ok([], {}, { 'Set-Cookie': cookies });
    },
    onUnifiOs(request) {
      if (!headerOf(request, 'content-type')?.includes('application/json'))
        return consoleErrorResponse(401, 'Unauthorized');
      if (!sessions.allowLogin()) {
        tallies.loginsRefused++;
        return loginLimitResponse();
      }
      const opened = open(request);
      if (!opened) return wrongCredentialsResponse();
      return jsonResponse(200, user, tokenHeaders(opened.session));
    },
  };
}

/** The session cookie and CSRF token; also sent when a console renews them. */
export function tokenHeaders({ token, csrfToken }: Session): Record<string, string | string[]> {
  const cookie = `${COOKIE_NAMES['unifi-os']}=${token}; path=/; samesite=strict; secure; httponly`;
  return { 'Set-Cookie': [cookie], 'X-CSRF-Token': csrfToken, 'X-Updated-CSRF-Token': csrfToken };
}

export function loginLimitResponse(headers: ConsoleResponse['headers'] = {}): ConsoleResponse {
  const problem = {
    code: 'AUTHENTICATION_FAILED_LIMIT_REACHED',
    message: "You've reached the login attempt limit",
    level: 'debug',
  };
  return jsonResponse(429, problem, headers);
}

function wrongCredentialsResponse(): ConsoleResponse {
  return jsonResponse(403, {
    code: 'AUTHENTICATION_FAILED_INVALID_CREDENTIALS',
    message: 'Invalid username or password',
    level: 'debug',
  });
}
