// What a login to a classic UniFi controller gives, and every further call needs.

import type { ControllerFailure } from '../../domain/controller.ts';
import type { Flavour } from './requests.ts';

export interface ClassicSession {
  flavour: Flavour;
  /** The Cookie header. */
  cookie: string;
  csrf: string | undefined;
}

/** Consoles count logins and lock out who asks too often: a refusal holds for a while. */
export interface LoginRefusal {
  problem: ControllerFailure;
  untilMs: number;
  pauseMs: number;
}

/** What became of the last login with that password. Shared by all who use the account, and kept over restarts. */
export interface LastLogin {
  passwordHash: string;
  session?: ClassicSession;
  refusal?: LoginRefusal;
}
