// How a site's controller is reached: its URL, the service's credentials, and how the controller's certificate is
// verified.

import * as v from 'valibot';

/**
 * The values of the credentials by field name. The kind of controller decides on the fields; see `controller-kind.ts`.
 */
export const CREDENTIALS = v.record(v.string(), v.string());
export type Credentials = v.InferOutput<typeof CREDENTIALS>;

const TLS_TRUST = v.variant('kind', [
  v.object({ kind: v.literal('ca') }),
  // Only the certificate with this SHA-256 fingerprint is trusted. An administrator has confirmed it.
  v.object({ kind: v.literal('pinned'), fingerprint256: v.string() }),
  // The certificate is not verified. An administrator chose this explicitly; it is shown wherever the site is shown.
  v.object({ kind: v.literal('insecure') }),
  // The site was moved in from another tool and its certificate is unconfirmed, so nothing is sent to its controller.
  v.object({ kind: v.literal('unconfirmed') }),
]);
export type TlsTrust = v.InferOutput<typeof TLS_TRUST>;

export const CONTROLLER_CONNECTION = v.object({
  url: v.string(),
  credentials: CREDENTIALS,
  trust: TLS_TRUST,
});
export type ControllerConnection = v.InferOutput<typeof CONTROLLER_CONNECTION>;

/** A site that was moved in from another tool has no password if that tool's stored password could not be decrypted. */
export function lacksPassword({ credentials }: ControllerConnection): boolean {
  return Object.values(credentials).includes('');
}

/**
 * Keeps controller login sessions across restarts, by the controller's URL and the user name. Stored sessions are
 * sealed.
 */
export interface ControllerSessions {
  load(urlAndUser: string): Promise<string | undefined>;
  save(urlAndUser: string, session: string): Promise<void>;
}
