// Adds a printer to an installation. It polls, so the service itself does not print the jobs of a test.

import type { NewPrinter, PrinterStore } from '../../src/features/printers/printer.ts';
import { asSiteId, type PrinterId } from '../../src/kernel/ids.ts';
import type { Token } from '../../src/platform/secrets/token.ts';
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
  token: Token | null = null,
): Promise<PrinterId> {
  return printers.add({ ...PRINTER, ...change }, token, { actor: TESTER, atMs: 0 });
}
