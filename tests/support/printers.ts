// Adds a printer to an installation. It asks for its jobs, so the service does not connect to anything.

import { asSiteId, type PrinterId } from '../../src/domain/ids.ts';
import type { NewPrinter, PrinterStore } from '../../src/domain/printers/printer.ts';
import { TESTER } from './actors.ts';

const PRINTER: NewPrinter = {
  siteId: asSiteId(1),
  name: 'Rezeption',
  kind: 'cloudprnt',
  address: null,
  paper: 80,
  layout: 'full',
  copies: 1,
  hasCutter: true,
  jobMinutes: 10,
};

export function addPrinter(
  { printers }: { printers: Pick<PrinterStore, 'add'> },
  change: Partial<NewPrinter> = {},
): Promise<PrinterId> {
  return printers.add({ ...PRINTER, ...change }, null, { actor: TESTER, atMs: 0 });
}
