// How a site's controller is reached: its address, the service's credentials, and how the controller's certificate is
// verified.

export type Credentials = { username: string; password: string } | { apiKey: string };

export type TlsTrust =
  | { kind: 'ca' }
  /** The certificate that an administrator confirmed, by its SHA-256 fingerprint. */
  | { kind: 'pinned'; fingerprint256: string }
  /** An explicit choice, shown wherever the site is shown. */
  | { kind: 'insecure' };

export interface ControllerAccess {
  url: string;
  credentials: Credentials;
  trust: TlsTrust;
}

/**
 * Keeps controller login sessions across restarts, by the controller's address and account. Stored sessions are sealed.
 */
export interface ControllerSessions {
  load(address: string): Promise<string | undefined>;
  save(address: string, session: string): Promise<void>;
}
