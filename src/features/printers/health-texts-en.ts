// English texts about the health of printers.

import { type SaidOf, titled } from '../../kernel/health/health-said.ts';
import type { PrinterHealthFacts } from './judge-printers.ts';
import { printersEn } from './printer-texts-en.ts';

export const saidOfPrintersEn = {
  ...titled(({ printer, site }) => `Printer ${printer} (${site})`, {
    'printer-ok': () => ({ text: 'Ready' }),
    'printer-new': () => ({ text: 'Never connected' }),
    'printer-not-known': () => ({
      text: 'Not known to this release; this instance does not print on this printer.',
      todo: 'Upgrade this instance.',
    }),
    'printer-failing': ({ state, advice, detail }) => ({
      text: `The printer cannot print: ${printersEn.states[state]}.`,
      todo: printersEn.advice[advice],
      ...(detail && { detail }),
    }),
    'print-jobs-failed': ({ count }) => ({
      text: `In the last 24 hours, ${count === 1 ? 'one print job was not printed or is unclear' : `${count} print jobs were not printed or are unclear`}.`,
      todo: 'Look at the page of the printer to see why.',
    }),
  }),
} satisfies Pick<SaidOf, keyof PrinterHealthFacts>;
