// Rules for printers: whether they can print, and whether jobs of the last day were lost. A printer without paper is no
// fault of the installation, so everything here is at most a warning.

import { type Finding, passed, warning } from '../../kernel/health/finding.ts';
import type { PrinterId } from '../../kernel/ids.ts';
import { toOneLine } from '../../platform/text/one-line.ts';
import { UNKNOWN } from '../../platform/values/unknown-value.ts';
import type { Printer } from './printer.ts';
import {
  adviseOnPrinter,
  type FailingState,
  hasProblem,
  type PrinterAdvice,
  stateNow,
} from './printer-state.ts';

interface OfPrinter {
  printerId: PrinterId;
  printer: string;
  /** The name of its site. */
  site: string;
}

/** What System health and `doctor` say about printers. */
export interface PrinterHealthFacts {
  'printer-ok': OfPrinter;
  'printer-new': OfPrinter;
  'printer-not-known': OfPrinter;
  'printer-failing': OfPrinter & { state: FailingState; advice: PrinterAdvice; detail: string };
  /** `count`: jobs of the last day that were not printed, or perhaps not. */
  'print-jobs-failed': OfPrinter & { count: number };
}

declare module '../../kernel/health/finding.ts' {
  interface HealthFacts extends PrinterHealthFacts {}
}

/** Jobs that ended longer ago than this are not reported. */
export const FAILED_WITHIN_MS = 24 * 60 * 60_000;

export interface PrinterFacts {
  /** With the states as they were found now. */
  printers: Pick<Printer, 'id' | 'name' | 'siteName' | 'kind' | 'status' | 'seenAtMs'>[];
  /** By the id of the printer: the jobs of the last day that were not printed, or perhaps not. */
  failedJobs: ReadonlyMap<number, number>;
}

export function judgePrinters({ printers, failedJobs }: PrinterFacts, nowMs: number): Finding[] {
  return printers.flatMap((printer) => {
    const facts = { printerId: printer.id, printer: printer.name, site: printer.siteName };
    const count = failedJobs.get(printer.id) ?? 0;
    return [
      judgePrinter(printer, facts, nowMs),
      ...(count > 0 ? [warning({ kind: 'print-jobs-failed', count, ...facts })] : []),
    ];
  });
}

function judgePrinter(printer: PrinterFacts['printers'][number], facts: OfPrinter, nowMs: number): Finding {
  if (printer.kind === UNKNOWN) return warning({ kind: 'printer-not-known', ...facts });
  const now = stateNow(printer, nowMs);
  if (!hasProblem(now.state))
    return passed({ kind: now.state === 'new' ? 'printer-new' : 'printer-ok', ...facts });
  const advice = adviseOnPrinter(printer, now) ?? 'no-answer';
  const detail = toOneLine(now.words ?? '');
  return warning({ kind: 'printer-failing', state: now.state, advice, detail, ...facts });
}
