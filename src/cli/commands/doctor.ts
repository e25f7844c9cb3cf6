// `gastpass doctor`: checks the installation and suggests a fix for each issue.

import { type Command, CommandFailed } from '../command.ts';
import { printJson } from '../print.ts';
import { configOrRefuse } from '../with-installation.ts';

export const doctor: Command = {
  name: 'doctor',
  summary: 'Check the service, data folder, database, secret, clock, sites and webhooks, and suggest fixes.',
  usage: '',
  help: 'Changes nothing. Exit code 1 if there is at least one fault, 0 if there are at most warnings.',
  options: {},
  positionals: [],
  prints: true,
  async run(args) {
    const config = configOrRefuse();
    const { examine } = await import('../../app/health/examine.ts');
    const findings = await examine(config);
    if (args.values.json) printJson(findings.map(({ state, about, text }) => ({ state, about, text })));
    else for (const { state, about, text } of findings) console.log(`${state.padEnd(7)}  ${about}: ${text}`);
    const faults = findings.filter(({ state }) => state === 'fault').length;
    if (faults > 0) throw new CommandFailed(`${faults} ${faults === 1 ? 'problem' : 'problems'} found`);
  },
};
