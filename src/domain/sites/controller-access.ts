// How a site's controller is reached: its address, what proves who we are, and what proves who it is.

export type Credentials = { username: string; password: string } | { apiKey: string };

export type TlsTrust =
  | { kind: 'ca' }
  /** The certificate an administrator has confirmed, by its SHA-256. */
  | { kind: 'pinned'; fingerprint256: string }
  /** An explicit choice, shown wherever the site is. */
  | { kind: 'insecure' };

export interface ControllerAccess {
  url: string;
  credentials: Credentials;
  trust: TlsTrust;
}

/** Keeps login sessions over restarts, by the controller's address and account. They are sealed at rest. */
export interface ControllerSessions {
  load(address: string): Promise<string | undefined>;
  save(address: string, session: string): Promise<void>;
}
