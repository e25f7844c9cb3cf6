// Examines an installation from its data folder to its webhooks. Changes nothing, except that a controller may begin a
// new login session.

import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { findMisspeltSettings } from '../../config/misspelt-settings.ts';
import { systemClock } from '../../domain/clock.ts';
import { REQUEST_DEADLINE_MS } from '../../domain/deadline.ts';
import type { CheckedPages, Finding, HealthFact } from '../../domain/health/finding.ts';
import type { AnyFinding } from '../../domain/health/terminal-fact.ts';
import { adviseOnProxies } from '../../domain/settings/untrusted-proxies.ts';
import { LATE_CREATION_MS } from '../../domain/vouchers/settle-intents.ts';
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
import { examineDisk, examineFiles, examineFolder } from './files.ts';
import { fault, ok, warning } from './finding.ts';
import { examineInstances } from './instances.ts';
import { examineServer } from './server-checklist.ts';
import { examineService } from './service-state.ts';
import { examineSites, examineSyncs } from './sites.ts';
import { findWeakSecrets } from './weak-secrets.ts';
import { examineWebhooks } from './webhooks.ts';

/** How long a controller and one examination may take, while a user waits at a terminal. */
const PATIENCE = { controllerPatienceMs: REQUEST_DEADLINE_MS, patienceMs: 60_000 };
const SEALED = 'encrypted values';

export async function examine(config: Config): Promise<AnyFinding[]> {
  const folder = examineFolder(config);
  const node = ok({ kind: 'node-installed', version: process.versions.node });
  const first: AnyFinding[] = [node, folder, ...examineSettings()];
  if (folder.state === 'fault') return first;
  first.push(examineDisk(config.dataDir));

  const checked = config.database ? { pages: 'unchecked' as const } : examinePages(config);
  if ('fault' in checked) return [...first, checked.fault];
  let installation: Installation;
  try {
    installation = await openInstallation(config, systemClock, { schema: 'expect' });
  } catch (error) {
    const what = error instanceof UnreadableSecret ? 'secret' : 'database and secret';
    return [...first, fault({ kind: 'not-opened', what, detail: explainError(error) })];
  }
  try {
    const how = {
      pages: checked.pages,
      examineService: () => examineService(config),
      explain: explainError,
      ...PATIENCE,
    };
    return [...first, ...(await examineOpened(installation, config, how))];
  } finally {
    await installation.close();
  }
}

/** Only the database, in detail. Needs no secret and, on PostgreSQL, no tables. */
export async function examineDatabase(config: Config): Promise<AnyFinding[]> {
  return config.database ? examineServer(config.database) : examineDatabaseFile(config);
}

interface How<Fact> {
  pages: CheckedPages;
  examineService: () => Promise<Finding<Fact>>;
  /** The text of an error in a finding. */
  explain: (error: unknown) => string;
  controllerPatienceMs: number;
  patienceMs: number;
}

/** Examines the parts at the same time: a slow part does not delay the others. */
export async function examineOpened<Fact extends { kind: string }>(
  installation: Installation,
  config: Config,
  { pages, examineService, explain, controllerPatienceMs, patienceMs }: How<Fact>,
): Promise<Finding<Fact | HealthFact>[]> {
  const { clock } = installation;
  const attempt = makeAttempt(patienceMs, explain);
  const clocks: ComparedClock[] = [];
  const findings = await inOrder<Fact | HealthFact>([
    attempt(SEALED, async () => examineSecrets(config, await installation.tallySealedValues())),
    attempt('database', async () => [await examineWriting(installation, { pages, explain })]),
    attempt('PostgreSQL', async () => {
      if (!config.database) return [];
      const facts = await readServerFacts(config.database);
      clocks.push({ of: { kind: 'postgresql' }, aheadMs: facts.nowMs - clock.nowMs() });
      return judgeServer(facts);
    }),
    attempt('service', async () => [await examineService()]),
    attempt('instances', () => examineInstances(installation)),
    attempt('backups', () => examineBackups(installation, config)),
    examinePublicUrl(config),
    attempt('proxies', () => examineProxies(installation)),
  ]);
  // With values that cannot be opened, reading sites and webhooks would fail.
  const later = findings.some(isAboutSealed)
    ? []
    : await inOrder<HealthFact>([
        attempt('sites', async () => {
          const examined = await examineSites(installation, controllerPatienceMs);
          clocks.push(...examined.clocks);
          return examined.findings;
        }),
        attempt('syncs', () => examineSyncs(installation, config)),
        attempt('users', () => examineUsers(installation)),
        attempt('open orders', async () => [await examineIntents(installation)]),
        attempt('webhooks', () => examineWebhooks(installation)),
      ]);
  const nowMs = clock.nowMs();
  const times = await attempt('clock', async () => {
    const newestMs = await newestRecordMs(installation);
    if (newestMs !== undefined) clocks.push({ of: { kind: 'record' }, aheadMs: newestMs - nowMs });
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

async function inOrder<Fact>(
  parts: (Finding<Fact>[] | Promise<Finding<Fact>[]>)[],
): Promise<Finding<Fact>[]> {
  return (await Promise.all(parts)).flat();
}

/** True if a sealed value cannot be opened, or it is not known whether all can. */
function isAboutSealed({ fact }: Finding<{ kind: string; part?: string }>): boolean {
  return fact.kind === 'sealed-broken' || (fact.kind === 'not-examined' && fact.part === SEALED);
}

export function examineSettings(): Finding[] {
  return findMisspeltSettings().map(({ name, meant }) => warning({ kind: 'setting-unknown', name, meant }));
}

function examineSecrets(config: Config, { needPrevious, unbound, broken }: SealedTally): Finding[] {
  const findings = examineFiles(config);
  const isExposed = findings.some(({ fact }) => 'file' in fact && fact.file === 'secret');
  if (!isExposed) findings.unshift(...examineSecret(config, needPrevious));
  findings.push(
    ...findWeakSecrets(config).map((setting) => warning({ kind: 'secret-weak', setting })),
    ...broken.map((detail) => fault({ kind: 'sealed-broken', detail })),
  );
  if (unbound > 0) findings.push(warning({ kind: 'sealed-unbound', count: unbound }));
  return findings;
}

function examineSecret({ dataDir, secret, previousSecret }: Config, needPrevious: number): Finding[] {
  if (secret === undefined) return [ok({ kind: 'secret-ok', path: join(dataDir, 'secret') })];
  if (needPrevious > 0) return [warning({ kind: 'secret-previous-needed', count: needPrevious })];
  const fits = ok({ kind: 'secret-ok', path: undefined });
  return previousSecret === undefined ? [fits] : [fits, warning({ kind: 'secret-previous-unneeded' })];
}

/** Without a trusted proxy the service takes every request for plain HTTP, and its cookies are not limited to HTTPS. */
function examinePublicUrl({ publicUrl, trustedProxies }: Config): Finding[] {
  if (publicUrl === undefined) return [];
  return [
    publicUrl.startsWith('https:') && trustedProxies.length === 0
      ? warning({ kind: 'address-plain', url: publicUrl })
      : ok({ kind: 'address-ok', url: publicUrl }),
  ];
}

async function examineProxies(installation: Installation): Promise<Finding[]> {
  return (await adviseOnProxies(installation)).map(({ ip, setting }) =>
    warning({ kind: 'proxy-untrusted', ip, setting }),
  );
}

async function examineUsers({ users }: Installation): Promise<Finding[]> {
  const all = await users.list();
  const count = all.filter(({ role, active }) => role === 'admin' && active).length;
  return [
    count > 0 ? ok({ kind: 'admins-ok', count }) : warning({ kind: 'admins-none' }),
    ...judgeAddresses(all),
  ];
}

async function examineIntents({ vouchers, clock }: Installation): Promise<Finding> {
  const overdueBefore = clock.nowMs() - 2 * (REQUEST_DEADLINE_MS + LATE_CREATION_MS);
  const intents = await vouchers.listIntents();
  const overdue = intents.filter(({ createdAtMs }) => createdAtMs < overdueBefore);
  return overdue.length === 0
    ? ok({ kind: 'intents-ok', count: intents.length })
    : warning({ kind: 'intents-overdue', count: overdue.length });
}
