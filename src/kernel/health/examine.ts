// Examines an installation from its data folder to its webhooks, for `gastpass doctor` and the page "System health".

import type { CommandTools } from '../../platform/cli/command.ts';
import type { Config } from '../../platform/config/config.ts';
import { findMisspeltSettings } from '../../platform/config/misspelt-settings.ts';
import { VERSION } from '../../platform/config/version.ts';
import { UnreadableSecret } from '../../platform/secrets/secret-file.ts';
import { REQUEST_DEADLINE_MS } from '../../platform/time/deadline.ts';
import type { Installation } from '../installation.ts';
import { attemptForTerminal, TERMINAL_PATIENCE_MS } from './attempt.ts';
import { examineInstallation } from './examine-installation.ts';
import { explainError, explainOnPage } from './explain-error.ts';
import { type AnyFinding, type ExamineHealth, type Finding, fault, passed, warning } from './finding.ts';
import type { HealthCheck } from './health-check.ts';
import { judgeService } from './judge-service.ts';
import { judged } from './observed.ts';
import { checkPages, examineDisk, examineFolder } from './read-data-folder.ts';
import { readService } from './read-service.ts';

/** For `gastpass doctor`. Changes nothing, except that a controller may begin a new login session. */
export async function examine(
  config: Config,
  { openExisting, checks }: Pick<CommandTools, 'openExisting'> & { checks: readonly HealthCheck[] },
): Promise<AnyFinding[]> {
  const folder = examineFolder(config);
  const node = passed({ kind: 'node-installed', version: process.versions.node });
  const first: AnyFinding[] = [node, folder, ...examineSettings()];
  if (folder.state === 'fault') return first;
  first.push(examineDisk(config));

  const checked = config.database ? { pages: 'unchecked' as const } : checkPages(config);
  if ('fault' in checked) return [...first, checked.fault];
  let installation: Installation;
  try {
    installation = await openExisting(config);
  } catch (error) {
    const what = error instanceof UnreadableSecret ? 'secret' : 'database and secret';
    return [...first, fault({ kind: 'not-opened', what, detail: explainError(error) })];
  }
  try {
    const findings = await examineInstallation(installation, config, {
      checks,
      pages: checked.pages,
      examineService: async () =>
        judged(await attemptForTerminal('service', () => readService(config)), judgeService),
      explain: explainError,
      controllerPatienceMs: REQUEST_DEADLINE_MS,
      patienceMs: TERMINAL_PATIENCE_MS,
    });
    return [...first, ...findings];
  } finally {
    await installation.close();
  }
}

/**
 * Examines the installation from inside the running service, for the page "System health". Does not check whether the
 * service runs. Does not search the SQLite file for damaged pages either: with a large file, that would block all
 * requests.
 */
export function makeExamineRunning(
  installation: Installation,
  config: Config,
  checks: readonly HealthCheck[],
): ExamineHealth {
  const node = passed({ kind: 'node-ok', version: process.versions.node });
  const service = [passed({ kind: 'service-ok', version: VERSION })];

  return async function examineRunning() {
    const folder = examineFolder(config);
    const disk = folder.state === 'fault' ? [] : [examineDisk(config)];
    // The time limits are short, because a user waits for the page.
    const findings = await examineInstallation(installation, config, {
      checks,
      pages: 'unchecked',
      examineService: async () => service,
      explain: explainOnPage,
      controllerPatienceMs: 3_000,
      patienceMs: 5_000,
    });
    return [node, folder, ...examineSettings(), ...disk, ...findings];
  };
}

function examineSettings(): Finding[] {
  return findMisspeltSettings().map(({ name, meant }) => warning({ kind: 'setting-unknown', name, meant }));
}
