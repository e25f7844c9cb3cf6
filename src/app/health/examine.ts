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
import { type ComparedClock, examineTimeZone, judgeClock, newestRecordMs } from './clock.ts';
import { examinePages, examineWriting, judgeServer } from './database.ts';
import { examineDisk, examineFiles, examineFolder } from './files.ts';
import { type Finding, fault, ok, reasonOf, warning } from './finding.ts';
import { examineService } from './service-state.ts';
import { examineSites, examineSyncs } from './sites.ts';
import { examineWebhooks } from './webhooks.ts';

export type { Finding } from './finding.ts';

export async function examine(config: Config): Promise<Finding[]> {
  const folder = examineFolder(config);
  const first = [folder, ...examineSettings()];
  if (folder.state === 'fault') return first;
  first.push(examineDisk(config.dataDir));

  const pages = config.database ? { note: '' } : examinePages(config);
  if ('fault' in pages) return [...first, pages.fault];
  let installation: Installation;
  try {
    installation = await openInstallation(config, systemClock, 'expect');
  } catch (error) {
    const about = error instanceof UnreadableSecret ? 'secret' : 'database and secret';
    return [...first, fault(about, reasonOf(error))];
  }
  try {
    return [...first, ...(await examineOpened(installation, config, pages.note))];
  } finally {
    await installation.close();
  }
}

async function examineOpened(installation: Installation, config: Config, note: string): Promise<Finding[]> {
  const clocks: ComparedClock[] = [];
  const findings = [
    ...(await attempt('sealed values', async () =>
      examineSecrets(config, await installation.tallySealedValues()),
    )),
    await examineWriting(installation, note),
    ...(await attempt('PostgreSQL', async () => {
      if (!config.database) return [];
      const facts = await readServerFacts(config.database);
      clocks.push({ of: 'PostgreSQL', aheadMs: facts.nowMs - Date.now() });
      return judgeServer(facts);
    })),
    ...(await attempt('service', async () => [await examineService(config)])),
    ...examinePublicUrl(config),
    ...(await attempt('proxies', () => examineProxies(installation))),
  ];
  // With values that cannot be opened, reading sites and webhooks would fail.
  const isSealed = findings.some(({ state, about }) => state === 'fault' && about === 'sealed values');
  const later = isSealed
    ? []
    : [
        ...(await attempt('sites', async () => {
          const examined = await examineSites(installation, config);
          clocks.push(...examined.clocks);
          return examined.findings;
        })),
        ...(await attempt('syncs', () => examineSyncs(installation, config))),
        ...(await attempt('users', async () => [await examineUsers(installation)])),
        ...(await attempt('open intents', async () => [await examineIntents(installation)])),
        ...(await attempt('webhooks', () => examineWebhooks(installation))),
      ];
  const nowMs = Date.now();
  const times = await attempt('clock', async () => {
    const newestMs = await newestRecordMs(installation);
    if (newestMs !== undefined) clocks.push({ of: 'the newest record', aheadMs: newestMs - nowMs });
    return judgeClock(nowMs, clocks);
  });
  return [...findings, ...times, examineTimeZone(config, nowMs), ...later];
}

/** An examination that throws is reported as a fault; the other examinations continue. */
async function attempt(about: string, job: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await job();
  } catch (error) {
    return [fault(about, `cannot be examined: ${reasonOf(error)}`)];
  }
}

function examineSettings(): Finding[] {
  return findMisspeltSettings().map(({ name, meant }) =>
    warning(
      `setting ${name}`,
      meant
        ? `has no effect, because there is no such setting: rename it to ${meant}`
        : 'has no effect, because there is no such setting: remove it, or see docs/settings.md',
    ),
  );
}

function examineSecrets(config: Config, { needPrevious, unbound, broken }: SealedTally): Finding[] {
  const findings = examineFiles(config);
  const isExposed = findings.some(({ about }) => about === 'secret');
  if (!isExposed) findings.unshift(...examineSecret(config, needPrevious));
  findings.push(...broken.map((text) => fault('sealed values', text)));
  if (unbound > 0)
    findings.push(
      warning(
        'sealed values',
        `${unbound} ${unbound === 1 ? 'is not bound to its row' : 'are not bound to their rows'}: when every instance runs this release, run gastpass rekey`,
      ),
    );
  return findings;
}

function examineSecret({ dataDir, secret, previousSecret }: Config, needPrevious: number): Finding[] {
  if (secret === undefined) return [ok('secret', `${join(dataDir, 'secret')}, fits the database`)];
  const fits = ok('secret', 'from GASTPASS_SECRET, fits the database');
  if (previousSecret === undefined) return [fits];
  return needPrevious > 0
    ? [
        warning(
          'secret',
          `${needPrevious} ${needPrevious === 1 ? 'value needs' : 'values need'} GASTPASS_SECRET_PREVIOUS: run gastpass rekey`,
        ),
      ]
    : [fits, warning('previous secret', 'GASTPASS_SECRET_PREVIOUS is set, but no value needs it: remove it')];
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

async function examineUsers({ users }: Installation): Promise<Finding> {
  const admins = (await users.list()).filter(({ role, active }) => role === 'admin' && active).length;
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
    `${overdue.length} ${overdue.length === 1 ? 'voucher was' : 'vouchers were'} ordered, but the controller's response was lost: make the controller reachable; the running service then finds out the outcome`,
  );
}
