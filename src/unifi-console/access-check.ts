// Who may call: an API key or a login's cookie on UniFi OS, a login's cookie on the classic server, and
// the CSRF token for writes by cookie. Says no in the words of whichever layer stands at the door.

import type { Envelope } from './classic/envelope.ts';
import type { SimulatedRequest } from './http.ts';
import { answerConsoleError, type ConsoleResponse, cookieOf, headerOf, jsonResponse } from './http.ts';
import { fail, ok, type Result } from './result.ts';
import type { Session } from './sessions.ts';
import type { SimulatedConsole } from './simulated-console.ts';

export const COOKIE_NAMES = { 'unifi-os': 'TOKEN', 'unifi-classic': 'unifises' };

/** Undefined instead of a session: let in by API key. */
type Admission = Result<Session | undefined, ConsoleResponse>;

export interface AccessCheck {
  /** For the classic API, and on the classic server for everything. */
  admitToNetwork(request: SimulatedRequest): Admission;
  /** For what the console itself answers on UniFi OS. */
  admitToConsole(request: SimulatedRequest): Result<Session, ConsoleResponse>;
  /** For the official API: nothing but the key counts. */
  admitByKey(request: SimulatedRequest): Admission;
}

export function makeAccessCheck(
  { flavour, apiKey, sessions, switches }: SimulatedConsole,
  envelope: Envelope,
): AccessCheck {
  const unauthorized = () => fail(answerConsoleError(401, 'Unauthorized'));

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
      // The console turns away who shows nothing; a login that is over is for the application to refuse.
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
