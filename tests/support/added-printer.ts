// Adds a printer to an installation, as the page and the command do.

import assert from 'node:assert/strict';
import { makePrinterUseCases } from '../../src/features/printers/printer-use-cases.ts';
import type { TypedPrinter } from '../../src/features/printers/save-printer.ts';
import type { PrinterId } from '../../src/kernel/ids.ts';
import type { Installation } from '../../src/kernel/installation.ts';
import { TESTER } from './actors.ts';

export async function addPrinterTo(installation: Installation, typed: TypedPrinter): Promise<PrinterId> {
  const { addPrinter } = makePrinterUseCases(installation);
  const added = await addPrinter(typed, { actor: TESTER, atMs: installation.clock.nowMs() });
  assert.ok(added.ok, JSON.stringify(added));
  return added.value.id;
}
