// Asks an ESC/POS printer for its state without printing anything.

import type { TargetRule } from '../../../platform/network/targets/ip-rules.ts';
import type { Clock } from '../../../platform/time/clock.ts';
import type { PrinterStatus } from '../printer.ts';
import { readPrinterAddress } from '../printer-address.ts';
import { openTcpPrinting } from './tcp-session.ts';

/** Takes up to eight seconds. Never rejects. */
export type CheckPrinter = (address: string, signal: AbortSignal) => Promise<PrinterStatus>;

export function makeCheckPrinter({ rule, clock }: { rule: TargetRule; clock: Clock }): CheckPrinter {
  const printing = openTcpPrinting(rule, 1);
  return async function checkPrinter(text, signal) {
    const address = readPrinterAddress(text);
    const heard = address ? await printing.check(address, signal) : NO_ADDRESS;
    return { ...heard, atMs: clock.nowMs() };
  };
}

const NO_ADDRESS = { state: 'fault', words: 'the printer has no usable address' } as const;
