// Checks access: an API key or a session cookie on UniFi OS, a session cookie on the classic server, and the CSRF token
// for write requests with a cookie. A refusal has the format of the part that refuses: the console or the Network
// application.

import type { Envelope } from './classic/envelope.ts';
import type { ConsoleState } from './console-state.ts';
import type { SimulatedRequest } from './http.ts';
import { type ConsoleResponse, consoleErrorResponse, cookieOf, headerOf, jsonResponse } from './http.ts';
import { fail, ok, type Result } from './result.ts';
import type { Session } from './sessions.ts';

export const COOKIE_NAMES = { 'unifi-os': 'TOKEN', 'unifi-classic': 'unifises' };

/** If admitted, the session of the request, or undefined if it has an API key; otherwise the response to send. */
type Admission = Result<Session | undefined, ConsoleResponse>;

export interface PermissionCheck {
  /** Checks a request to the classic API, and every request on the classic server. */
  admitToNetwork(request: SimulatedRequest): Admission;
  /** Checks a request that the UniFi OS console handles itself. */
  admitToConsole(request: SimulatedRequest): Result<Session, ConsoleResponse>;
  /** Checks a request to the official API, which accepts only the API key. */
  admitByKey(request: SimulatedRequest): Admission;
}

export function makePermissionCheck(
  { flavour, apiKey, sessions, switches }: ConsoleState,
  envelope: Envelope,
): PermissionCheck {
  const unauthorized = () => fail(consoleErrorResponse(401, 'Unauthorized'));

  function withCsrf(request: SimulatedRequest, session: Session): Result<Session, ConsoleResponse> {
    const isWrite = request.method !== 'GET' && request.method !== 'HEAD';
    if (!isWrite || !switches.strictCsrf || flavour === 'unifi-classic') return ok(session);
    if (headerOf(request, 'x-csrf-token') === session.csrfToken) return ok(session);
    return fail(jsonResponse(403, { message: 'Invalid CSRF Token' }));
  }

  function admitByKey(request: SimulatedRequest): Admission {
    return headerOf(request, 'x-api-key') === apiKey ? ok(undefined) : unauthorized();
  }

  return {
    admitByKey,
    admitToNetwork(request) {
      const isUnifiOs = flavour === 'unifi-os';
      if (isUnifiOs && headerOf(request, 'x-api-key') !== undefined) return admitByKey(request);
      const token = cookieOf(request, COOKIE_NAMES[flavour]);
      // UniFi OS refuses a request without a cookie; the Network application refuses an expired session.
      if (isUnifiOs && token === undefined) return unauthorized();
      const session = sessions.find(token);
      return session ? withCsrf(request, session) : fail(envelope.refuse(401, 'api.err.LoginRequired'));
    },
    admitToConsole(request) {
      const session = sessions.find(cookieOf(request, COOKIE_NAMES[flavour]));
      return session ? withCsrf(request, session) : unauthorized();
    },
  };
}
