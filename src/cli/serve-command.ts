// `gastpass serve`: runs the service until SIGTERM, SIGINT or SIGHUP. Prints its URLs and, on the first start, the new
// credentials.

import { networkInterfaces } from 'node:os';
import type { Service } from '../app/start-service.ts';
import { type Command, CommandFailed, WrongUsage } from '../platform/cli/command.ts';
import { print } from '../platform/cli/print.ts';
import type { Config } from '../platform/config/config.ts';
import { findMisspeltSettings } from '../platform/config/misspelt-settings.ts';
import { hasNotifySocket } from '../platform/config/notify-socket.ts';
import { VERSION } from '../platform/config/version.ts';
import type { Log } from '../platform/log/log.ts';

const ECHO_MS = 500;
const MAX_FLUSH_MS = 1_000;

export const serve: Command = {
  name: 'serve',
  summary: 'Run the service.',
  help: 'Stops on SIGTERM, SIGINT or SIGHUP after finishing running requests; a second signal ends it at once.',
  async run(_args, { configOrRefuse }) {
    const config = configOrRefuse();
    const asked = untilAskedToStop();
    const service = await start(config);
    introduce(service, config);
    service.log.info({ version: VERSION, url: service.url, dataDir: config.dataDir }, 'service started');
    if (hasNotifySocket()) notifyReady(service.log);

    for (const { name, meant } of findMisspeltSettings())
      service.log.warn(
        { variable: name, meant },
        'this environment variable is not a setting, and has no effect',
      );

    void service.whenLost.then((error) => endAtOnce(service.log, error, RECORDS_LOST));
    void service.whenTaken.then((error) => endAtOnce(service.log, error, FOLDER_TAKEN));
    const signal = await asked;
    service.log.info({ signal }, 'service stopping');
    await service.stop();
    service.log.info({}, 'service stopped');
    service.log.flush();
  },
};

/**
 * The next start writes what can still be read to the disk anew, and settles the intents of vouchers without a record.
 */
const RECORDS_LOST = 'the disk has refused written records, so they may be lost: the service ends';
/** Two services would settle each other's orders. */
const FOLDER_TAKEN =
  'service.lock was removed, and another service has started on the data folder: this one ends. Leave the file alone while a service runs';

function endAtOnce(log: Service['log'], error: Error, why: string): void {
  log.fatal({ err: error }, why);
  log.flush(() => process.exit(1));
  setTimeout(() => process.exit(1), MAX_FLUSH_MS);
}

/**
 * Tells systemd that the service is ready. Runs the program systemd-notify, because Node cannot send to a Unix datagram
 * socket. A failure is only logged and does not stop the service.
 */
function notifyReady(log: Log): void {
  const { execFile } = process.getBuiltinModule('node:child_process');
  execFile('systemd-notify', ['--ready'], (error) => {
    if (error) log.warn({ err: error }, 'systemd was not told that the service is ready');
  });
}

/**
 * The first signal stops the service gracefully; a second signal ends it at once. When the terminal signals both npm
 * and the service, npm forwards its copy. This duplicate does not count as a second signal.
 */
function untilAskedToStop(): Promise<string> {
  return new Promise((resolve) => {
    let firstAtMs: number | undefined;
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'])
      process.on(signal, () => {
        const nowMs = performance.now();
        firstAtMs ??= nowMs;
        if (nowMs - firstAtMs > ECHO_MS) process.exit(0);
        resolve(signal);
      });
  });
}

async function start(config: Config): Promise<Service> {
  try {
    const { startService } = await import('../app/start-service.ts');
    return await startService(config);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    const { host, port } = config;
    if (code === 'EADDRINUSE')
      throw new CommandFailed(`port ${port} on ${host} is taken: stop the other program or set PORT`);
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new WrongUsage(`HOST: ${host} is not an address of this machine`);
    if (code === 'EACCES' && isListening(error))
      throw new WrongUsage(`PORT: this user may not listen on port ${port}`);
    throw error;
  }
}

/** The system call is checked because errors of files can have the same codes as errors of ports. */
function isListening(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error && error.syscall === 'listen';
}

/** Replaces the wildcard address of a service that listens on all interfaces with an IPv4 address of this machine. */
function reachable(url: string): string {
  const everywhere = /^(http:\/\/)(0\.0\.0\.0|\[::\])(?=:)/;
  const own = Object.values(networkInterfaces())
    .flat()
    .find((one) => one && !one.internal && one.family === 'IPv4');
  return url.replace(everywhere, `$1${own?.address ?? '127.0.0.1'}`);
}

function introduce({ url: listening, publicUrl, firstStart: made }: Service, { basePath }: Config): void {
  const url = reachable(listening);
  const shown = publicUrl ?? url;
  const api = `${shown}${basePath}`;
  const lines = [
    '',
    'Gastpass is running.',
    '',
    `  Web      ${shown}/`,
    `  API      ${api}`,
    `  OpenAPI  ${api}/openapi.php`,
    `  API v1   ${api}/v1`,
    `  OpenAPI  ${api}/v1/openapi.json`,
    `  Health   ${url}/readyz`,
  ];
  if (made.adminEmail) {
    lines.push('', `  Administrator  ${made.adminEmail}`);
    if (made.adminPassword) lines.push(`  Password       ${made.adminPassword}`);
  }
  if (made.setupToken)
    lines.push('', `  First administrator: ${shown}/setup`, `  Token                ${made.setupToken}`);
  if (made.siteName)
    lines.push(`  Demo site      ${made.siteName} (site_id ${made.siteId}, simulated controller)`);
  if (made.keyText) lines.push(`  API key        ${made.keyText}`);
  const secrets = [made.adminPassword && 'Password', made.keyText && 'API key'].filter(Boolean).join(' and ');
  if (secrets) lines.push('', `  ${secrets}: shown this once, keep safe.`);
  if (made.keyText && made.siteId !== undefined)
    lines.push('', 'Your first voucher:', '', ...curlExample(api, made.keyText, made.siteId));
  print(...lines, '');
}

function curlExample(api: string, keyText: string, siteId: number): string[] {
  const body = JSON.stringify({ site_id: siteId, name: 'Zimmer 12' });
  return [
    `  curl -X POST ${api}/vouchers.php \\`,
    `    -H 'Authorization: Bearer ${keyText}' \\`,
    `    -d '${body}'`,
  ];
}
