// What a login to a classic UniFi controller gives, and every further call needs.

import type { Flavour } from './requests.ts';

export interface ClassicSession {
  flavour: Flavour;
  /** The Cookie header. */
  cookie: string;
  csrf: string | undefined;
}
