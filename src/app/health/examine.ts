// Examines an installation from its data folder to its webhooks, and says what to do about each problem. Changes
// nothing, except that a controller may begin a new login session.

import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { findMisspeltSettings } from '../../config/misspelt-settings.ts';
import { systemClock } from '../../domain/clock.ts';
import { adviseOnProxies } from '../../domain/settings/untrusted-proxies.ts';
import { LATE_CREATION_MS, REQUEST_DEADLINE_MS } from '../../domain/vouchers/settle-intents.ts';
import { readServerFacts } from '../../storage/postgres/server-facts.ts';
import { UnreadableSecret } from '../../storage/secret-file.ts';
import { type Installation, openInstallation, type SealedTally } from '../installation.ts';
import { judgeAddresses } from './addresses.ts';
import { makeAttempt } from './attempt.ts';
import { examineBackups } from './backups.ts';
import {
  type ComparedClock,
  examineHeartbeat,
  examineRetention,
  examineTimeZone,
  judgeClock,
  newestRecordMs,
  withoutSyncsExplainedBy,
} from './clock.ts';
import { examinePages, examineWriting, judgeServer } from './database.ts';
import { explainError } from './explain-error.ts';
import { examineDatabaseFile } from './file-checklist.ts';
import { examineDisk, examineFiles, examineFolder, examineNode } from './files.ts';
import { type Finding, fault, ok, warning } from './finding.ts';
import { examineInstances } from './instances.ts';
import { examineServer } from './server-checklist.ts';
import { examineService, type ServiceState } from './service-state.ts';
import { examineSites, examineSyncs } from './sites.ts';
import { findWeakSecrets } from './weak-secrets.ts';
import { examineWebhooks } from './webhooks.ts';

export type { Finding } from './finding.ts';

/** How long a controller and one examination may take, while a user waits at a terminal. */
const PATIENCE = { controllerPatienceMs: REQUEST_DEADLINE_MS, patienceMs: 60_000 };

export async function examine(config: Config): Promise<Finding[]> {
  const folder = examineFolder(config);
  const first = [examineNode(), folder, ...examineSettings()];
  if (folder.state === 'fault') return first;
  first.push(examineDisk(config.dataDir));

  const pages = config.database ? { note: '' } : examinePages(config);
  if ('fault' in pages) return [...first, pages.fault];
  let installation: Installation;
  try {
    installation = await openInstallation(config, systemClock, { schema: 'expect' });
  } catch (error) {
    const about = error instanceof UnreadableSecret ? 'secret' : 'database and secret';
    return [...first, fault(about, explainError(error))];
  }
  try {
    const how = { note: pages.note, examineService: () => examineService(config), ...PATIENCE };
    return [...first, ...(await examineOpened(installation, config, how))];
  } finally {
    await installation.close();
  }
}

/** Only the database, in detail. Needs no secret and, on PostgreSQL, no tables. */
export async function examineDatabase(config: Config): Promise<Finding[]> {
  return config.database ? examineServer(config.database) : examineDatabaseFile(config);
}

interface How {
  /** What else is known about the working database. */
  note: string;
  examineService: () => Promise<ServiceState>;
  controllerPatienceMs: number;
  patienceMs: number;
}

/** Examines the parts at the same time: a slow part does not delay the others. */
export async function examineOpened(
  installation: Installation,
  config: Config,
  { note, examineService, controllerPatienceMs, patienceMs }: How,
): Promise<Finding[]> {
  const { clock } = installation;
  const attempt = makeAttempt(patienceMs);
  const clocks: ComparedClock[] = [];
  let isServiceRunning = false;
  const findings = await inOrder([
    attempt('sealed values', async () => examineSecrets(config, await installation.tallySealedValues())),
    attempt('database', async () => [await examineWriting(installation, note)]),
    attempt('PostgreSQL', async () => {
      if (!config.database) return [];
      const facts = await readServerFacts(config.database);
      clocks.push({
        of: 'PostgreSQL',
        aheadMs: facts.nowMs - clock.nowMs(),
        other: { kind: 'postgresql' },
      });
      return judgeServer(facts);
    }),
    attempt('service', async () => {
      const service = await examineService();
      isServiceRunning = service.isRunning;
      return [service.finding];
    }),
    attempt('instances', () => examineInstances(installation)),
    attempt('backups', () => examineBackups(installation, config)),
    examinePublicUrl(config),
    attempt('proxies', () => examineProxies(installation)),
  ]);
  // With values that cannot be opened, reading sites and webhooks would fail.
  const isSealed = findings.some(({ state, about }) => state === 'fault' && about === 'sealed values');
  const later = isSealed
    ? []
    : await inOrder([
        attempt('sites', async () => {
          const examined = await examineSites(installation, config, controllerPatienceMs);
          clocks.push(...examined.clocks);
          return examined.findings;
        }),
        attempt('syncs', () => examineSyncs(installation, config, isServiceRunning)),
        attempt('users', () => examineUsers(installation)),
        attempt('open intents', async () => [await examineIntents(installation)]),
        attempt('webhooks', () => examineWebhooks(installation)),
      ]);
  const nowMs = clock.nowMs();
  const times = await attempt('clock', async () => {
    const newestMs = await newestRecordMs(installation);
    if (newestMs !== undefined)
      clocks.push({ of: 'the newest record', aheadMs: newestMs - nowMs, other: { kind: 'record' } });
    return judgeClock(nowMs, clocks);
  });
  return [
    ...findings,
    ...times,
    ...(await attempt('clock', () => examineHeartbeat(installation))),
    ...(await attempt('retention', () => examineRetention(installation))),
    examineTimeZone(config, nowMs),
    ...withoutSyncsExplainedBy(times, nowMs, later),
  ];
}

async function inOrder(parts: (Finding[] | Promise<Finding[]>)[]): Promise<Finding[]> {
  return (await Promise.all(parts)).flat();
}

export function examineSettings(): Finding[] {
  return findMisspeltSettings().map(({ name, meant }) =>
    warning(
      `setting ${name}`,
      meant
        ? `has no effect, because there is no such setting: rename it to ${meant}`
        : 'has no effect, because there is no such setting: remove it, or see docs/settings.md',
      { kind: 'setting-unknown', name, meant },
    ),
  );
}

function examineSecrets(config: Config, { needPrevious, unbound, broken }: SealedTally): Finding[] {
  const findings = examineFiles(config);
  const isExposed = findings.some(({ about }) => about === 'secret');
  if (!isExposed) findings.unshift(...examineSecret(config, needPrevious));
  findings.push(
    ...findWeakSecrets(config).map(judgeWeakSecret),
    ...broken.map((text) => fault('sealed values', text, { kind: 'sealed-broken', detail: text })),
  );
  if (unbound > 0)
    findings.push(
      warning(
        'sealed values',
        `${unbound} ${unbound === 1 ? 'is not bound to its row' : 'are not bound to their rows'}: when every instance runs this release, run gastpass rekey`,
        { kind: 'sealed-unbound', count: unbound },
      ),
    );
  return findings;
}

function judgeWeakSecret(setting: string): Finding {
  const todo =
    setting === 'GASTPASS_SECRET'
      ? 'change it as docs/operating.md says under "Changing the secret"'
      : 'set it to the output of openssl rand -hex 32';
  return warning(`setting ${setting}`, `is a placeholder or easy to guess: ${todo}`, {
    kind: 'secret-weak',
    setting,
  });
}

function examineSecret({ dataDir, secret, previousSecret }: Config, needPrevious: number): Finding[] {
  if (secret === undefined)
    return [
      ok('secret', `${join(dataDir, 'secret')}, fits the database`, { kind: 'secret-ok', source: 'file' }),
    ];
  const fits = ok('secret', 'from GASTPASS_SECRET, fits the database', {
    kind: 'secret-ok',
    source: 'setting',
  });
  if (previousSecret === undefined) return [fits];
  return needPrevious > 0
    ? [
        warning(
          'secret',
          `${needPrevious} ${needPrevious === 1 ? 'value needs' : 'values need'} GASTPASS_SECRET_PREVIOUS: run gastpass rekey`,
          { kind: 'secret-previous-needed', count: needPrevious },
        ),
      ]
    : [
        fits,
        warning('previous secret', 'GASTPASS_SECRET_PREVIOUS is set, but no value needs it: remove it', {
          kind: 'secret-previous-unneeded',
        }),
      ];
}

/** Without a trusted proxy the service takes every request for plain HTTP, and its cookies are not limited to HTTPS. */
function examinePublicUrl({ publicUrl, trustedProxies }: Config): Finding[] {
  if (publicUrl === undefined) return [];
  return [
    publicUrl.startsWith('https:') && trustedProxies.length === 0
      ? warning(
          'public address',
          `PUBLIC_URL is ${publicUrl}, but the service sees plain HTTP: set TRUSTED_PROXIES to the address of the proxy that terminates TLS`,
          { kind: 'address-plain', url: publicUrl },
        )
      : ok('public address', publicUrl, { kind: 'address-ok', url: publicUrl }),
  ];
}

async function examineProxies(installation: Installation): Promise<Finding[]> {
  return (await adviseOnProxies(installation)).map(({ ip, setting }) =>
    warning(
      `proxy ${ip}`,
      `sends X-Forwarded-For but is not trusted, so all its clients count as one: if it is your proxy, set ${setting} and restart the service`,
      { kind: 'proxy-untrusted', ip, setting },
    ),
  );
}

async function examineUsers({ users }: Installation): Promise<Finding[]> {
  const all = await users.list();
  const admins = all.filter(({ role, active }) => role === 'admin' && active).length;
  return [
    admins > 0
      ? ok('users', `${admins} administrator${admins === 1 ? '' : 's'}`, { kind: 'admins-ok', count: admins })
      : warning('users', 'no administrator: gastpass users add --email EMAIL --name NAME --admin', {
          kind: 'admins-none',
        }),
    ...judgeAddresses(all),
  ];
}

async function examineIntents({ vouchers, clock }: Installation): Promise<Finding> {
  const overdueBefore = clock.nowMs() - 2 * (REQUEST_DEADLINE_MS + LATE_CREATION_MS);
  const intents = await vouchers.listIntents();
  const overdue = intents.filter(({ createdAtMs }) => createdAtMs < overdueBefore);
  if (overdue.length === 0)
    return ok('open intents', `${intents.length}`, { kind: 'intents-ok', count: intents.length });
  return warning(
    'open intents',
    `${overdue.length} ${overdue.length === 1 ? 'voucher was' : 'vouchers were'} ordered, but the controller's response was lost: make the controller reachable; the running service then finds out the outcome`,
    { kind: 'intents-overdue', count: overdue.length },
  );
}
