// Prints findings about an installation, and fails if one of them is a fault.

import type { Finding } from '../app/health/finding.ts';
import { type Arguments, CommandFailed } from './command.ts';
import { print, printJson } from './print.ts';

export function printFindings(findings: Finding[], args: Arguments): void {
  if (args.values.json) printJson(findings.map(({ state, about, text }) => ({ state, about, text })));
  else for (const { state, about, text } of findings) print(`${state.padEnd(7)}  ${about}: ${text}`);
  const faults = findings.filter(({ state }) => state === 'fault').length;
  if (faults > 0) throw new CommandFailed(`${faults} ${faults === 1 ? 'problem' : 'problems'} found`);
}
