// The session that a login to a classic UniFi controller returns and every further call needs, and the result of the
// last login.

import type { ControllerFailure } from '../../domain/controller.ts';
import type { Flavour } from './requests.ts';

export interface ClassicSession {
  flavour: Flavour;
  /** The Cookie header. */
  cookie: string;
  csrf: string | undefined;
}

/** Consoles lock out clients that log in too often, so no further login is sent before `untilMs`. */
export interface LoginRefusal {
  problem: ControllerFailure;
  untilMs: number;
  pauseMs: number;
}

/** The result of the last login with this password. Shared by all callers that use the account; survives restarts. */
export interface LastLogin {
  passwordHash: string;
  session?: ClassicSession;
  refusal?: LoginRefusal;
}
