// The texts of all findings of the commands `doctor` and `verify`. Commands print English only.

import type { AnyFact } from '../../../domain/health/finding.ts';
import type { SaidOf } from '../../health-said.ts';
import { healthEn } from '../staff/health.ts';
import { saidOfChecklist } from './database-checklist.ts';
import { saidOfService } from './service-state.ts';
import { saidOfVerify } from './verify.ts';

export const saidInTerminal: SaidOf<AnyFact> = {
  ...healthEn.said,
  ...saidOfService,
  ...saidOfChecklist,
  ...saidOfVerify,
};
