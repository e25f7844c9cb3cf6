// How a site's controller is reached: its URL, the service's credentials, and how the controller's certificate is
// verified.

import * as v from 'valibot';

/** By the names of the fields that the kind of controller has; see `controller-kind.ts`. */
export const CREDENTIALS = v.record(v.string(), v.string());
export type Credentials = v.InferOutput<typeof CREDENTIALS>;

const TLS_TRUST = v.variant('kind', [
  v.object({ kind: v.literal('ca') }),
  // The certificate that an administrator confirmed, by its SHA-256 fingerprint.
  v.object({ kind: v.literal('pinned'), fingerprint256: v.string() }),
  // An explicit choice, shown wherever the site is shown.
  v.object({ kind: v.literal('insecure') }),
  // Of a site that was moved in: nobody has seen the certificate, so nothing is sent.
  v.object({ kind: v.literal('unconfirmed') }),
]);
export type TlsTrust = v.InferOutput<typeof TLS_TRUST>;

export const CONTROLLER_CONNECTION = v.object({
  url: v.string(),
  credentials: CREDENTIALS,
  trust: TLS_TRUST,
});
export type ControllerConnection = v.InferOutput<typeof CONTROLLER_CONNECTION>;

/** A site that was moved in has no password if the other tool's secret could not be opened. */
export function lacksPassword({ credentials }: ControllerConnection): boolean {
  return Object.values(credentials).includes('');
}

/**
 * Keeps controller login sessions across restarts, by the controller's URL and the user name. Stored sessions are sealed.
 */
export interface ControllerSessions {
  load(urlAndUser: string): Promise<string | undefined>;
  save(urlAndUser: string, session: string): Promise<void>;
}
