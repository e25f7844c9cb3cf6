// What System health and `doctor` examine about printers, and when the overview shows a printer.

import type { HealthCheck } from '../../kernel/health/health-check.ts';
import type { Installation } from '../../kernel/installation.ts';
import type { ConcernSource } from '../../kernel/overview/concern.ts';
import { makeCheckPrinter } from './channel/check-printer.ts';
import { saidOfPrintersDe } from './health-texts-de.ts';
import { saidOfPrintersEn } from './health-texts-en.ts';
import { FAILED_WITHIN_MS, judgePrinters } from './judge-printers.ts';
import { adviseOnPrinter, hasProblem, stateNow } from './printer-state.ts';
import { PRINTER_TEXTS } from './printer-texts.ts';

/** How long a printer may take to answer. */
const MAX_PATIENCE_MS = 5_000;

export const healthCheck: HealthCheck = {
  part: 'printers',
  place: 110,
  examine,
  said: { de: saidOfPrintersDe, en: saidOfPrintersEn },
  subject: { de: 'Drucker', en: 'printers' },
  wayOut: (fact, { language }) =>
    fact.kind === 'printer-failing' || fact.kind === 'print-jobs-failed'
      ? { href: `/printers/${fact.printerId}`, label: PRINTER_TEXTS[language].look }
      : undefined,
  commandFor: (fact) =>
    fact.kind === 'printer-failing' ? `To test it: gastpass printers test ${fact.printerId}` : undefined,
};

/** Asks the printers that the service connects to. Of the others, the stored state is known. */
async function examine(
  { printers, printJobs, clock, webhookTargets: rule }: Installation,
  patienceMs: number,
) {
  const checkPrinter = makeCheckPrinter({ rule, clock });
  const signal = AbortSignal.timeout(Math.min(patienceMs, MAX_PATIENCE_MS));
  const found = await Promise.all(
    (await printers.list()).map(async (printer) =>
      printer.address === null
        ? printer
        : { ...printer, status: await checkPrinter(printer.address, signal) },
    ),
  );
  const failedJobs = await printJobs.countFailed(clock.nowMs() - FAILED_WITHIN_MS);
  return judgePrinters({ printers: found, failedJobs }, clock.nowMs());
}

export const concerns: ConcernSource = {
  place: 70,
  async find({ printers, clock }) {
    return (await printers.list()).flatMap((printer) => {
      const now = stateNow(printer, clock.nowMs());
      const advice = adviseOnPrinter(printer, now);
      if (!advice || !hasProblem(now.state)) return [];
      const { state, sinceMs } = now;
      return [
        {
          likeness: `printer-failing ${advice}`,
          name: printer.name,
          who: ({ language }) => PRINTER_TEXTS[language].named(printer.name),
          all: ({ language }, count) => PRINTER_TEXTS[language].several(count),
          what: ({ language }, who) => `${who}: ${PRINTER_TEXTS[language].states[state]}`,
          sinceMs,
          advice: ({ language }) => PRINTER_TEXTS[language].advice[advice],
          way: ({ language }) => ({
            href: `/printers/${printer.id}`,
            label: PRINTER_TEXTS[language].look,
          }),
        },
      ];
    });
  },
};
