// Reads the configuration from the environment, or reports all issues at once.

import { isIP } from 'node:net';
import { resolve } from 'node:path';
import ipaddr from 'ipaddr.js';
import {
  type BackupSettings,
  type Config,
  type DatabaseSettings,
  LOG_LEVELS,
  type LogLevel,
  MIN_PASSPHRASE_LENGTH,
  type OidcSettings,
} from './config.ts';
import { expectedDatabaseUrl } from './database-url.ts';
import { readMail } from './read-mail.ts';
import { adviseOnComment, type Environment, makeReader, type Reader } from './reader.ts';

type ConfigReading = { config: Config; issues?: never } | { config?: never; issues: string[] };

const MIN_SECRET_LENGTH = 32;
const MIN_ADMIN_PASSWORD_LENGTH = 10;
const MIN_METRICS_TOKEN_LENGTH = 16;

export function readConfig(environment: Environment = process.env): ConfigReading {
  const issues: string[] = [];
  const read = makeReader(environment, issues);

  const adminEmail = read.text('ADMIN_EMAIL', undefined, isEmailLike, 'an e-mail address');
  const adminPassword = read.text(
    'ADMIN_PASSWORD',
    undefined,
    (text) => text.length >= MIN_ADMIN_PASSWORD_LENGTH,
    `at least ${MIN_ADMIN_PASSWORD_LENGTH} characters`,
  );
  if ((adminEmail === undefined) !== (adminPassword === undefined))
    issues.push('ADMIN_EMAIL and ADMIN_PASSWORD: set both or neither');

  const trustedProxies = readProxies(read);
  const proxyAuthHeader = read.text(
    'PROXY_AUTH_HEADER',
    undefined,
    (text) => /^[A-Za-z0-9-]+$/.test(text),
    'the name of a header such as Remote-User',
  );
  if (proxyAuthHeader !== undefined && trustedProxies.length === 0)
    issues.push('PROXY_AUTH_HEADER: set TRUSTED_PROXIES too, or the header would never count');

  const config: Config = {
    host: read.text('HOST', '127.0.0.1', (text) => /^[^\s/]+$/.test(text), 'a host name or address'),
    port: read.integer('PORT', 8080, 0, 65_535),
    basePath: readBasePath(read),
    publicUrl: readPublicUrl(read),
    dataDir: resolve(read.text('DATA_DIR', './data')),
    database: readDatabase(read),
    timeZone: read.text('TZ', 'Europe/Berlin', isTimeZone, 'a time zone such as Europe/Berlin'),
    secret: readSecret(read, 'GASTPASS_SECRET'),
    previousSecret: readSecret(read, 'GASTPASS_SECRET_PREVIOUS'),
    demo: read.choice('GASTPASS_DEMO', '1', ['0', '1']) === '1',
    admin:
      adminEmail !== undefined && adminPassword !== undefined
        ? { email: adminEmail, password: adminPassword }
        : undefined,
    metricsToken: read.text(
      'METRICS_TOKEN',
      undefined,
      (text) => text.length >= MIN_METRICS_TOKEN_LENGTH && /^[\x21-\x7e]+$/.test(text),
      `at least ${MIN_METRICS_TOKEN_LENGTH} characters, all of them visible ASCII`,
    ),
    securityContact: read.text(
      'SECURITY_CONTACT',
      undefined,
      isContact,
      'an address such as mailto:security@example.org or https://example.org/security',
    ),
    trustedProxies,
    proxyAuthHeader: proxyAuthHeader?.toLowerCase(),
    oidc: readOidc(read),
    webhookTargets: read.choice('WEBHOOK_TARGETS', 'any', ['any', 'public']),
    logLevel: read.choice<LogLevel>('LOG_LEVEL', 'info', LOG_LEVELS),
    syncIntervalS: read.integer('SYNC_INTERVAL_S', 60, 5, 86_400),
    backup: readBackup(read),
    mail: readMail(read),
  };
  if (config.previousSecret !== undefined && config.secret === undefined)
    issues.push('GASTPASS_SECRET_PREVIOUS: set GASTPASS_SECRET too');
  return issues.length > 0 ? { issues } : { config: Object.freeze(config) };
}

function readSecret(read: Reader, name: string): string | undefined {
  const isLongEnough = (text: string) => text.length >= MIN_SECRET_LENGTH;
  return read.text(name, undefined, isLongEnough, `at least ${MIN_SECRET_LENGTH} characters`);
}

function readBasePath(read: Reader): string {
  const isPath = (text: string) => /^(\/[A-Za-z0-9._~-]+)*\/?$/.test(text);
  return read.text('BASE_PATH', '/api', isPath, 'a path such as /api').replace(/\/$/, '');
}

function readPublicUrl(read: Reader): string | undefined {
  const expected = 'an address such as https://wifi.example.org, without a path';
  const text = read.text('PUBLIC_URL', undefined, isOrigin, expected);
  return text && URL.parse(text)?.origin;
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text);
  return url !== null && /^https?:\/\/[^/?#@]+\/?$/i.test(text) && url.pathname === '/';
}

function readDatabase(read: Reader): DatabaseSettings | undefined {
  const url = read.text('DATABASE_URL', undefined);
  const expected = url && expectedDatabaseUrl(url);
  if (expected) read.issues.push(`DATABASE_URL: expected ${expected}`);
  const poolSize = read.integer('DATABASE_POOL_SIZE', 10, 2, 1_000);
  const statementTimeoutMs = read.integer('DATABASE_STATEMENT_TIMEOUT_MS', 5_000, 100, 600_000);
  return url === undefined ? undefined : { url, poolSize, statementTimeoutMs };
}

function readOidc(read: Reader): OidcSettings | undefined {
  const issuer = read.text(
    'OIDC_ISSUER',
    undefined,
    isIssuer,
    'the https address of an OpenID Connect provider, without /.well-known/',
  );
  const clientId = read.text('OIDC_CLIENT_ID', undefined);
  const clientSecret = read.text('OIDC_CLIENT_SECRET', undefined);
  const hasOpenid = (text: string) => text.split(/\s+/).includes('openid');
  const scopes = read.text('OIDC_SCOPES', undefined, hasOpenid, 'scopes separated by spaces, with openid');
  if (issuer !== undefined && clientId !== undefined) return { issuer, clientId, clientSecret, scopes };
  if ([issuer, clientId, clientSecret, scopes].some((value) => value !== undefined))
    read.issues.push('OIDC_ISSUER and OIDC_CLIENT_ID: set both, or no OIDC setting at all');
  return undefined;
}

/**
 * An address without https is allowed only for a provider on this machine, for tests. The same rule applies to a
 * provider that is set up in the browser.
 */
function isIssuer(text: string): boolean {
  const url = URL.parse(text);
  if (!url || url.search || url.hash || url.username || text.includes('/.well-known/')) return false;
  return (
    url.protocol === 'https:' ||
    (url.protocol === 'http:' && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname))
  );
}

function readBackup(read: Reader): BackupSettings {
  const folder = read.text('BACKUP_DIR', undefined);
  return {
    folder: folder && resolve(folder),
    intervalH: read.integer('BACKUP_INTERVAL_H', 24, 1, 8_760),
    keep: read.integer('BACKUP_KEEP', 7, 1, 1_000),
    passphrase: read.text(
      'BACKUP_PASSPHRASE',
      undefined,
      (text) => text.length >= MIN_PASSPHRASE_LENGTH,
      `at least ${MIN_PASSPHRASE_LENGTH} characters`,
    ),
  };
}

function readProxies(read: Reader): string[] {
  const entries = read
    .text('TRUSTED_PROXIES', '')
    .split(',')
    .map((entry) => entry.trim());
  const named = entries.filter((entry) => entry !== '');
  for (const entry of named)
    if (!isIpRange(entry)) {
      const shown = read.isGivenDirectly('TRUSTED_PROXIES') ? JSON.stringify(entry) : 'an entry';
      read.issues.push(`TRUSTED_PROXIES: ${shown} is no IP address or CIDR range${adviseOnComment(entry)}`);
    }
  return named;
}

function isIpRange(text: string): boolean {
  if (isIP(text) > 0) return ipaddr.isValid(text);
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

function isEmailLike(text: string): boolean {
  return /^[^\s@]+@[^\s@]+$/.test(text);
}

function isContact(text: string): boolean {
  if (!/^[\x21-\x7e]+$/.test(text)) return false;
  return text.startsWith('mailto:')
    ? isEmailLike(text.slice(7))
    : /^https:\/\/./.test(text) && URL.canParse(text);
}

function isTimeZone(text: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
