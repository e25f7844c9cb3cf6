// `gastpass doctor`: checks the installation and suggests a fix for each issue.

import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Installation, SealedTally } from '../../app/installation.ts';
import type { Config } from '../../config/config.ts';
import { toOneLine } from '../../domain/one-line.ts';
import { adviseOnProxies } from '../../domain/settings/untrusted-proxies.ts';
import { type SyncState, syncStateOf } from '../../domain/sites/site-sync.ts';
import { LATE_CREATION_MS, REQUEST_DEADLINE_MS } from '../../domain/vouchers/settle-intents.ts';
import type { LoggedDelivery } from '../../domain/webhooks/delivery.ts';
import { toShownUrl, type Webhook } from '../../domain/webhooks/webhook.ts';
import { type Command, CommandFailed } from '../command.ts';
import { printJson } from '../print.ts';
import { configOrRefuse, openExisting } from '../with-installation.ts';

/** How many deliveries to a failing webhook are searched for its last error. */
const LOOKED_AT = 500;

interface Finding {
  state: 'ok' | 'warning' | 'fault';
  about: string;
  text: string;
}

const ok = (about: string, text: string): Finding => ({ state: 'ok', about, text });
const warning = (about: string, text: string): Finding => ({ state: 'warning', about, text });
const issue = (about: string, text: string): Finding => ({ state: 'fault', about, text });

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check data folder, database, secret, sites, users and webhooks, and suggest fixes.',
  usage: '',
  options: {},
  positionals: [],
  prints: true,
  async run(args) {
    const findings = await examine(configOrRefuse());
    if (args.values.json) printJson(findings);
    else for (const { state, about, text } of findings) console.log(`${state.padEnd(7)}  ${about}: ${text}`);
    const issues = findings.filter(({ state }) => state === 'fault').length;
    if (issues > 0) throw new CommandFailed(`${issues} ${issues === 1 ? 'problem' : 'problems'} found`);
  },
};

async function examine(config: Config): Promise<Finding[]> {
  const folder = examineFolder(config.dataDir);
  if (folder.state === 'fault') return [folder];

  let installation: Installation;
  try {
    installation = await openExisting(config);
  } catch (error) {
    return [folder, issue('database and secret', error instanceof Error ? error.message : String(error))];
  }
  try {
    const sealed = await installation.tallySealedValues();
    const first = [
      folder,
      ...examineSecret(config, sealed),
      ...examineSealedValues(sealed),
      await examineDatabase(installation),
      ...examinePublicUrl(config),
      ...(await examineProxies(installation)),
    ];
    // With values that cannot be opened, reading sites and webhooks would fail.
    if (sealed.broken.length > 0) return first;
    return [
      ...first,
      ...(await examineSites(installation)),
      ...(await examineSyncs(installation, config)),
      await checkUsers(installation),
      await examineIntents(installation),
      ...(await examineWebhooks(installation)),
    ];
  } finally {
    await installation.close();
  }
}

function examineFolder(dataDir: string): Finding {
  if (!existsSync(dataDir))
    return issue('data folder', `${dataDir} does not exist: start the service once, or set DATA_DIR`);
  try {
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return issue('data folder', `${dataDir} cannot be written by this user: change its owner or its mode`);
  }
  return ok('data folder', dataDir);
}

function examineSecret(
  { dataDir, secret, previousSecret }: Config,
  { needPrevious }: SealedTally,
): Finding[] {
  if (secret === undefined) {
    const file = join(dataDir, 'secret');
    return (statSync(file).mode & 0o077) === 0
      ? [ok('secret', `${file}, fits the database`)]
      : [issue('secret', `${file} can be read by others: chmod 600 ${file}`)];
  }
  const fits = ok('secret', 'from GASTPASS_SECRET, fits the database');
  if (previousSecret === undefined) return [fits];
  return needPrevious > 0
    ? [warning('secret', `${needPrevious} values need GASTPASS_SECRET_PREVIOUS: run gastpass rekey`)]
    : [fits, warning('previous secret', 'GASTPASS_SECRET_PREVIOUS is set, but no value needs it: remove it')];
}

function examineSealedValues({ unbound, broken }: SealedTally): Finding[] {
  const findings = broken.map((text) => issue('sealed values', text));
  if (unbound > 0)
    findings.push(
      warning(
        'sealed values',
        `${unbound} are not bound to their rows: when every instance runs this release, run gastpass rekey`,
      ),
    );
  return findings;
}

async function examineDatabase({ probeWrite }: Installation): Promise<Finding> {
  try {
    await probeWrite();
    return ok('database', 'can be read and written');
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return issue('database', `cannot be written (${why}): check free space and who else has it open`);
  }
}

/** Without a trusted proxy the service takes every request for plain HTTP, and its cookies are not limited to HTTPS. */
function examinePublicUrl({ publicUrl, trustedProxies }: Config): Finding[] {
  if (publicUrl === undefined) return [];
  return [
    publicUrl.startsWith('https:') && trustedProxies.length === 0
      ? warning(
          'public address',
          `PUBLIC_URL is ${publicUrl}, but the service sees plain HTTP: set TRUSTED_PROXIES to the address of the proxy that terminates TLS`,
        )
      : ok('public address', publicUrl),
  ];
}

async function examineProxies(installation: Installation): Promise<Finding[]> {
  return (await adviseOnProxies(installation)).map(({ ip, setting }) =>
    warning(
      `proxy ${ip}`,
      `sends X-Forwarded-For but is not trusted, so all its clients count as one: if it is your proxy, set ${setting} and restart the service`,
    ),
  );
}

async function examineSites({ sites, controllerOf }: Installation): Promise<Finding[]> {
  const all = await sites.list();
  if (all.length === 0)
    return [warning('sites', 'there are none: gastpass sites add --name NAME --controller simulator')];
  const findings: Finding[] = [];
  for (const site of all) {
    const about = `site ${site.id} (${site.name})`;
    const failure = site.active
      ? await controllerOf(site).check(AbortSignal.timeout(REQUEST_DEADLINE_MS))
      : undefined;
    if (!site.active) findings.push(ok(about, 'switched off'));
    else if (failure) findings.push(issue(about, `${failure.text}: see gastpass sites test ${site.id}`));
    else findings.push(ok(about, 'its controller works'));
  }
  return findings;
}

/** Reports for each active site how long ago voucher usage was last synced from its controller. */
async function examineSyncs(
  { sites, syncs, clock }: Installation,
  { syncIntervalS }: Config,
): Promise<Finding[]> {
  const known = await syncs.list();
  const nowMs = clock.nowMs();
  return (await sites.listActive()).map(({ id, name }) => {
    const about = `sync of site ${id} (${name})`;
    const sync = known.get(id);
    const minutes = Math.round((nowMs - (sync?.syncedAtMs ?? nowMs)) / 60_000);
    const last = sync?.syncedAtMs
      ? `the last successful sync was ${minutes} min ago`
      : 'no sync has succeeded yet';
    const texts: Record<SyncState, Finding> = {
      ok: ok(about, last),
      never: ok(about, `${last}: the service syncs while it runs, or run gastpass sync --site ${id}`),
      stale: warning(about, `${last}: is the service running?`),
      failing: warning(about, `${sync?.error ?? 'failed'}; ${last}`),
    };
    return texts[syncStateOf(sync, nowMs, syncIntervalS)];
  });
}

async function checkUsers({ users }: Installation): Promise<Finding> {
  const admins = (await users.list()).filter(({ role }) => role === 'admin').length;
  return admins > 0
    ? ok('users', `${admins} administrator${admins === 1 ? '' : 's'}`)
    : warning('users', 'no administrator: gastpass users add --email EMAIL --name NAME --admin');
}

async function examineIntents({ vouchers, clock }: Installation): Promise<Finding> {
  const overdueBefore = clock.nowMs() - 2 * (REQUEST_DEADLINE_MS + LATE_CREATION_MS);
  const intents = await vouchers.listIntents();
  const overdue = intents.filter(({ createdAtMs }) => createdAtMs < overdueBefore);
  if (overdue.length === 0) return ok('open intents', `${intents.length}`);
  return warning(
    'open intents',
    `${overdue.length} vouchers were ordered, but the controller's response was lost; the running service settles them as soon as it reaches the controller`,
  );
}

/** Reports whether notifications are delivered. A webhook that a user switched off is not an issue. */
async function examineWebhooks({ webhooks, deliveries }: Installation): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const webhook of await webhooks.list()) {
    const log = webhook.failures > 0 ? await deliveries.log({ webhookId: webhook.id, limit: LOOKED_AT }) : [];
    findings.push(examineWebhook(webhook, lastErrorOf(log)));
  }
  return findings;
}

/**
 * Sorts the attempts of all deliveries by time: the log lists the newest delivery first, but the delivery that is being
 * attempted is older than the deliveries that wait behind it.
 */
function lastErrorOf(log: LoggedDelivery[]): string | undefined {
  const attempts = log.flatMap((delivery) => delivery.attempts).sort((one, other) => other.atMs - one.atMs);
  return attempts.find(({ error }) => error !== null)?.error ?? undefined;
}

function examineWebhook(
  { id, name, url, active, offBecause, failures }: Webhook,
  lastError: string | undefined,
): Finding {
  const ownName = name === new URL(url).host ? '' : `${name}, `;
  const about = `webhook ${id} (${ownName}${toShownUrl(url)})`;
  if (offBecause) return warning(about, `switched off: ${offBecause}; gastpass webhooks set ${id} --active`);
  if (!active) return ok(about, 'switched off');
  if (failures > 0)
    return warning(
      about,
      `the last ${failures === 1 ? 'attempt' : `${failures} attempts`} failed${lastError ? ` (${toOneLine(lastError)})` : ''}: see gastpass webhooks log --webhook ${id}`,
    );
  return ok(about, 'no failures');
}
