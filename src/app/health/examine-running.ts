// Examines the installation from inside the running service, for the page that shows its health. Leaves out what only makes
// sense from outside: whether the service runs, and the damaged pages of a large file, which would stop all requests.

import type { Config } from '../../config/config.ts';
import { VERSION } from '../../config/version.ts';
import type { ExamineHealth } from '../../domain/health/finding.ts';
import type { Installation } from '../installation.ts';
import { examineOpened, examineSettings } from './examine.ts';
import { explainOnPage } from './explain-error.ts';
import { examineDisk, examineFolder } from './files.ts';
import { ok } from './finding.ts';

/** A user waits for the page. */
const PATIENCE = { controllerPatienceMs: 3_000, patienceMs: 5_000 };

export function makeExamineRunning(installation: Installation, config: Config): ExamineHealth {
  const node = ok({ kind: 'node-ok', version: process.versions.node });
  const how = {
    pages: 'unchecked' as const,
    examineService: async () => ok({ kind: 'service-ok', version: VERSION }),
    explain: explainOnPage,
    ...PATIENCE,
  };

  return async function examineRunning() {
    const folder = examineFolder(config);
    const disk = folder.state === 'fault' ? [] : [examineDisk(config.dataDir)];
    return [node, folder, ...examineSettings(), ...disk, ...(await examineOpened(installation, config, how))];
  };
}
