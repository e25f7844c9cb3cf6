// Wires the use cases that manage printers.

import { makeCheckPrinter } from '../channels/printer/check-printer.ts';
import { findIpIssue } from '../channels/targets/ip-rules.ts';
import type { Printer, PrinterStatus } from '../domain/printers/printer.ts';
import { makeAddPrinter, makeChangePrinter } from '../domain/printers/save-printer.ts';
import type { Installation } from './installation.ts';

export function makePrinterUseCases({ printers, sites, clock, webhookTargets: rule }: Installation) {
  const deps = { printers, sites, findIpIssue: (ip: string) => findIpIssue(ip, rule) };
  const askPrinter = makeCheckPrinter({ rule, clock });

  /** Asks a printer for its state, and stores it. Undefined if the service does not connect to the printer. */
  async function checkPrinter(
    { id, kind, address }: Pick<Printer, 'id' | 'kind' | 'address'>,
    signal: AbortSignal,
  ): Promise<PrinterStatus | undefined> {
    if (kind !== 'escpos') return undefined;
    const status = await askPrinter(address ?? '', signal);
    await printers.noteStatus(id, status);
    return status;
  }

  return { addPrinter: makeAddPrinter(deps), changePrinter: makeChangePrinter(deps), checkPrinter };
}
