// The service's configuration as one frozen value. read-config.ts creates it from the environment.

import type { MailServer } from '../../features/mail/mail-server.ts';

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface DatabaseSettings {
  readonly url: string;
  readonly poolSize: number;
  readonly statementTimeoutMs: number;
}

/** The OpenID Connect provider. Without a secret, the service is a public client. */
export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string | undefined;
  readonly scopes: string | undefined;
}

export const MIN_PASSPHRASE_LENGTH = 12;

export interface BackupSettings {
  /** Where the service puts its backups; undefined if it makes none. */
  readonly folder: string | undefined;
  readonly intervalH: number;
  /** How many of the backups that the service makes are kept. */
  readonly keep: number;
  /** Encrypts the installation's secret in backups. If undefined, backups do not contain the secret. */
  readonly passphrase: string | undefined;
}

export interface Config {
  readonly host: string;
  readonly port: number;
  /** Starts with a slash and does not end with one; empty for the root. */
  readonly basePath: string;
  /** The origin under which users reach the service, such as `https://wifi.example.org`. */
  readonly publicUrl: string | undefined;
  readonly dataDir: string;
  /** Undefined means SQLite in the data folder. */
  readonly database: DatabaseSettings | undefined;
  readonly timeZone: string;
  readonly secret: string | undefined;
  /** The secret before a rekey. It can still open sealed values while the rekey is under way. */
  readonly previousSecret: string | undefined;
  readonly demo: boolean;
  readonly admin: { readonly email: string; readonly password: string } | undefined;
  /** The token that `/metrics` requires; undefined if anyone may read the metrics. */
  readonly metricsToken: string | undefined;
  /** A `mailto:` or `https:` address for `security.txt`; undefined if there is no such page. */
  readonly securityContact: string | undefined;
  readonly trustedProxies: readonly string[];
  /** Undefined if no provider is configured here; an administrator can then set one up in the browser. */
  readonly oidc: OidcSettings | undefined;
  /** The header in which a trusted proxy names the user, in lower case; undefined if proxies do not sign users in. */
  readonly proxyAuthHeader: string | undefined;
  readonly webhookTargets: 'any' | 'public';
  readonly logLevel: LogLevel;
  readonly syncIntervalS: number;
  readonly backup: BackupSettings;
  /** Undefined if no mail server is configured here; an administrator can then set one up in the browser. */
  readonly mail: MailServer | undefined;
}
