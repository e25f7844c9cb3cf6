// Wires the use cases that manage printers.

import type { Installation } from '../../kernel/installation.ts';
import { findIpIssue } from '../../platform/network/targets/ip-rules.ts';
import { makeCheckPrinter } from './channel/check-printer.ts';
import type { Printer, PrinterStatus } from './printer.ts';
import { makeAddPrinter, makeChangePrinter } from './save-printer.ts';

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
