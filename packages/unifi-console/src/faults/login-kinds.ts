// Faults of logins and sessions: expired sessions, too many logins, a required second factor, CSRF errors.

import { randomUUID } from 'node:crypto';
import { makeEnvelope } from '../classic/envelope.ts';
import { consoleErrorResponse, cookieOf, jsonResponse } from '../http.ts';
import { loginLimitResponse, tokenHeaders } from '../login.ts';
import { COOKIE_NAMES } from '../permission-check.ts';
import type { FaultEntry } from './turn.ts';

export const loginKinds = {
  'session-expired': {
    does: 'every login is over: 401 now, and until the next login',
    async play({ state, route, connection }) {
      state.sessions.closeAll();
      connection.send(
        route.api === 'classic'
          ? makeEnvelope(state.switches).refuse(401, 'api.err.LoginRequired')
          : consoleErrorResponse(401, 'Unauthorized'),
      );
    },
  },
  'login-limit': {
    does: '429 as after too many logins; retryAfterS, which real consoles do not send',
    async play({ connection }, { retryAfterS }) {
      connection.send(
        loginLimitResponse(retryAfterS === undefined ? {} : { 'Retry-After': String(retryAfterS) }),
      );
    },
  },
  mfa: {
    does: 'asks for a second factor: 499 on UniFi OS, Ubic2faTokenRequired on the classic server',
    async play({ state, connection }) {
      const authenticators = [{ id: randomUUID(), type: 'totp' }];
      const mfaCookie = `UBIC_2FA=${randomUUID()}`;
      const message = 'A multi factor authentication is required';
      connection.send(
        state.flavour === 'unifi-os'
          ? jsonResponse(499, { code: 'MFA_AUTH_REQUIRED', message, data: { mfaCookie, authenticators } })
          : makeEnvelope(state.switches).refuse(400, 'api.err.Ubic2faTokenRequired'),
      );
    },
  },
  'csrf-refused': {
    does: '403 as for a wrong CSRF token',
    async play({ connection }) {
      connection.send(jsonResponse(403, { message: 'Invalid CSRF Token' }));
    },
  },
  'csrf-renewed': {
    does: 'the right answer with a new CSRF token; the old one no longer counts',
    async play(turn) {
      const response = turn.run();
      const { sessions, flavour } = turn.state;
      const session = sessions.find(cookieOf(turn.request, COOKIE_NAMES[flavour]));
      if (session) sessions.renewCsrf(session);
      const headers = session && flavour === 'unifi-os' ? tokenHeaders(session) : {};
      turn.connection.send({ ...response, headers: { ...response.headers, ...headers } });
    },
  },
} satisfies Record<string, FaultEntry>;
