// Wires the use cases that manage printers.

import { findIpIssue } from '../channels/targets/ip-rules.ts';
import { makeAddPrinter, makeChangePrinter } from '../domain/printers/save-printer.ts';
import type { Installation } from './installation.ts';

export function makePrinterUseCases({ printers, sites, webhookTargets }: Installation) {
  const deps = { printers, sites, findIpIssue: (ip: string) => findIpIssue(ip, webhookTargets) };
  return { addPrinter: makeAddPrinter(deps), changePrinter: makeChangePrinter(deps) };
}
