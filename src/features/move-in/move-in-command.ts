// `gastpass move-in unifi-voucher-tool`: takes over the data of that tool from a dump of its database.

import { statSync } from 'node:fs';
import { auditContext } from '../../kernel/command-tools.ts';
import { type Command, CommandFailed, switches, texts, WrongUsage } from '../../platform/cli/command.ts';
import { print, printJson, printTable } from '../../platform/cli/print.ts';
import { readSecretOption } from '../../platform/cli/read-secret.ts';
import { systemClock } from '../../platform/time/clock.ts';
import type { MoveInRefusal, MoveInReport, Remark } from './report.ts';

export const moveIn: Command = {
  name: 'move-in unifi-voucher-tool',
  summary: 'Take over sites, users, API keys, vouchers and more from a dump of Unifi-Voucher-Tool.',
  usage: '--dump FILE [--app-key-file FILE] [--dry-run]',
  help: [
    'The dump is the output of mysqldump. The installation must have no sites of its own; an unused demo is removed.',
    'Console passwords of the tool may be encrypted with the APP_KEY of its config.php: --app-key-file takes that file,',
    'or a file with the key alone (- is standard input). Everything is written in one transaction, or nothing.',
    '--dry-run prints the same report and writes nothing. Sites arrive inactive: the report says how to activate them.',
    'Sign-ins and other changes in a running service wait until the move ends: stop the service before a large move.',
  ].join('\n'),
  options: { ...texts('dump', 'app-key-file'), ...switches('dry-run') },
  prints: true,
  async run(args, { configOrRefuse }) {
    const file = args.required('dump');
    refuseMissing(file);
    const keyText = readSecretOption(args, 'app-key-file');
    const isDryRun = args.has('dry-run');
    const config = configOrRefuse();
    const { findAppKey } = await import('./dump/app-key.ts');
    const { readUnifiVoucherTool } = await import('./dump/unifi-voucher-tool.ts');
    const { moveIntoInstallation } = await import('./storage/move-in-store.ts');
    const appKey = keyText === undefined ? undefined : findAppKey(keyText);
    if (keyText !== undefined && !appKey)
      throw new WrongUsage(`${args.text('app-key-file')} contains no APP_KEY (base64 of 32 bytes)`);
    const { data, remarks } = await readUnifiVoucherTool({ file, appKey, timeZone: config.timeZone });
    const audit = auditContext({ clock: systemClock });
    const movedIn = await moveIntoInstallation(config, { data, remarks, isDryRun, audit });
    if (!movedIn.ok) throw new CommandFailed(...whyRefused(movedIn.problem));
    if (args.has('json')) return printJson({ dry_run: isDryRun, ...movedIn.value });
    printReport(movedIn.value, isDryRun);
    if (movedIn.value.tables.some(({ table, taken }) => table === 'sites' && taken > 0))
      printNextSteps(data.sites.map(({ id }) => id));
  },
};

function refuseMissing(file: string): void {
  const stats = statSync(file, { throwIfNoEntry: false });
  if (!stats?.isFile()) throw new WrongUsage(`--dump: there is no file ${file}`);
}

function whyRefused(refusal: MoveInRefusal): string[] {
  if (refusal.kind === 'moved-in-already')
    return [
      'data has already been moved in. Nothing was written. To move in again, use a new data folder or database',
    ];
  if (refusal.kind === 'rule-names-site')
    return [
      `a rule of single sign-on names site ${refusal.siteId}. Nothing was written. Remove the site from the rule first`,
    ];
  const sites = refusal.sites.map(
    ({ id, name, isDemo }) => `  ${id} ${name}${isDemo ? ' (demo, in use)' : ''}`,
  );
  const remove = refusal.sites.every(({ isDemo }) => isDemo)
    ? 'Remove them first: gastpass sites set <id> --inactive, then gastpass sites remove <id> --yes'
    : 'Use a new data folder or database';
  return ['the installation has sites of its own. Nothing was written.', ...sites, remove];
}

function printReport({ tables, remarks }: MoveInReport, isDryRun: boolean): void {
  if (isDryRun) print('Dry run: nothing was written. The move would do this:', '');
  printTable(
    tables.map(({ table, found, taken }) => ({ table, 'in the dump': found, 'taken over': taken })),
    '',
  );
  if (remarks.length > 0) print('', 'Please note:', ...remarks.map((remark) => `  ${toLine(remark)}`));
}

function toLine({ table, why, count, examples }: Remark): string {
  const shown = examples.join(', ');
  const more = count > examples.length && examples.length > 0 ? `, … (${count} in all)` : '';
  const counted = examples.length === 0 && count > 1 ? ` (${count} times)` : '';
  return `${table}: ${why}${counted}${shown && `: ${shown}${more}`}`;
}

function printNextSteps(siteIds: number[]): void {
  const [id = 1] = siteIds;
  print(
    '',
    'The sites are inactive. Test each site and confirm its certificate; then it becomes active:',
    `  gastpass sites set ${id} --active      or in the browser: Sites, the site, "Test and activate"`,
  );
}
