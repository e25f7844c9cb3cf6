// The texts of all findings of the kernel for the commands `doctor` and `verify`. Commands print English only.

import { saidOfChecklist } from './checklist-texts-en.ts';
import type { KernelFact, TerminalFact } from './finding.ts';
import type { SaidOf } from './health-said.ts';
import { healthEn } from './health-texts-en.ts';
import { saidOfService } from './service-state-texts-en.ts';
import { saidOfVerify } from './verify-texts-en.ts';

export const saidInTerminal: SaidOf<KernelFact | TerminalFact> = {
  ...healthEn.said,
  ...saidOfService,
  ...saidOfChecklist,
  ...saidOfVerify,
};
