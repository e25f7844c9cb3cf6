// `gastpass printers …`: add, list, test and remove receipt printers.

import { setTimeout as sleep } from 'node:timers/promises';
import { auditContext } from '../../kernel/command-tools.ts';
import { asPrinterId, type MessageId } from '../../kernel/ids.ts';
import type { Installation } from '../../kernel/installation.ts';
import { readSiteIdOption } from '../../kernel/sites/site-id-option.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  readNumber,
  switches,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { originOf } from '../../platform/cli/own-origin.ts';
import { print, printJson, printTable, sayKnown, toTime } from '../../platform/cli/print.ts';
import { NOT_KNOWN_HERE, UNKNOWN } from '../../platform/values/unknown-value.ts';
import { isOpen, type LoggedPrintJob } from './print-job.ts';
import {
  DEFAULT_JOB_MINUTES,
  MAX_COPIES,
  MAX_JOB_MINUTES,
  MAX_PRINTER_NAME_LENGTH,
  PRINTER_KINDS,
  PRINTER_LAYOUTS,
  type Printer,
  ROLL_WIDTHS,
} from './printer.ts';
import { adviseOnPrinter, stateNow } from './printer-state.ts';
import { printersEn } from './printer-texts-en.ts';
import type { PrinterIssues } from './save-printer.ts';

/** How long `test` waits for the printer, and how often it looks. */
const PATIENCE_MS = 30_000;
const LOOKED_EVERY_MS = 250;

const printerIdFrom = (args: Arguments) => asPrinterId(readNumber(args.positional(0), 'printer'));

const noSuchPrinter = (id: number) =>
  new CommandFailed(`there is no printer ${id}; see gastpass printers list`);

async function findPrinter({ printers }: Installation, args: Arguments): Promise<Printer> {
  const id = printerIdFrom(args);
  const printer = await printers.find(id);
  if (!printer) throw noSuchPrinter(id);
  return printer;
}

const add: Command = {
  name: 'printers add',
  summary:
    'Add a receipt printer to a site. Prints the id and, for printers that poll, the path. Contacts nothing.',
  usage: `--site ID --name NAME --kind ${PRINTER_KINDS.join('|')} [--address HOST[:PORT]] [--paper ${ROLL_WIDTHS.join('|')}] [--layout ${PRINTER_LAYOUTS.join('|')}] [--copies N] [--no-cutter] [--job-minutes N]`,
  help: [
    'escpos: the service connects to --address, by default on port 9100. cloudprnt and epson: the printer asks the service',
    'for jobs at the path that this command prints. The path is a secret. Enter it, after the address of the service, in the',
    'settings of the printer; --json prints the whole URL.',
    `A job that is not printed within ${DEFAULT_JOB_MINUTES} minutes expires; --job-minutes sets another limit. See docs/printers.md.`,
  ].join('\n'),
  options: {
    ...texts('site', 'name', 'kind', 'address', 'paper', 'layout', 'copies', 'job-minutes'),
    ...switches('no-cutter'),
  },
  prints: true,
  async run(args, { withInstallation }) {
    const typed = {
      siteId: readSiteIdOption(args.required('site')),
      name: args.requiredName(),
      kind: args.required('kind'),
      address: args.text('address'),
      paper: args.text('paper'),
      layout: args.text('layout'),
      copies: args.text('copies'),
      hasCutter: !args.has('no-cutter'),
      jobMinutes: args.text('job-minutes'),
    };
    const { id, path, origin } = await withInstallation(async (installation, config) => {
      const { makePrinterUseCases } = await import('./printer-use-cases.ts');
      const { addPrinter } = makePrinterUseCases(installation);
      const added = await addPrinter(typed, auditContext(installation));
      if (!added.ok) throw toError(added.problem);
      return { ...added.value, origin: await originOf(installation, config) };
    });
    if (args.has('json')) printJson({ id, ...(path !== null && { path, url: origin + path }) });
    else print(String(id), ...(path === null ? [] : [path]));
  },
};

function toError(issues: PrinterIssues): WrongUsage | CommandFailed {
  if (issues.site) return new CommandFailed('there is no such site; see gastpass sites list');
  const names = {
    missing: 'must not be empty',
    'too-long': `at most ${MAX_PRINTER_NAME_LENGTH} characters`,
    'not-plain': 'contains invisible characters',
  };
  const addresses = {
    missing: 'is missing: HOST or HOST:PORT of the printer',
    wrong: 'expected HOST or HOST:PORT, without a scheme or a path',
    'not-used': 'only for --kind escpos; the others ask the service for jobs',
    forbidden: 'the service is not allowed to connect to this address; see WEBHOOK_TARGETS',
  };
  const lines = [
    issues.kind && `--kind: expected one of ${PRINTER_KINDS.join(', ')}`,
    issues.name && `--name: ${names[issues.name]}`,
    issues.address && `--address: ${addresses[issues.address]}`,
    issues.paper && `--paper: expected one of ${ROLL_WIDTHS.join(', ')}`,
    issues.layout && `--layout: expected one of ${PRINTER_LAYOUTS.join(', ')}`,
    issues.copies && `--copies: expected a whole number from 1 to ${MAX_COPIES}`,
    issues.jobMinutes && `--job-minutes: expected a whole number from 1 to ${MAX_JOB_MINUTES}`,
  ];
  return new WrongUsage(...lines.filter((line) => line !== undefined));
}

const list: Command = {
  name: 'printers list',
  summary: 'List all printers and their states.',
  prints: true,
  async run(args, { withInstallation }) {
    const rows = await withInstallation(async ({ printers, clock }) =>
      (await printers.list()).map((printer) => toRow(printer, clock.nowMs())),
    );
    if (args.has('json')) printJson(rows);
    else
      printTable(rows, 'No printers yet. Add one: gastpass printers add --site ID --name NAME --kind KIND');
  },
};

function toRow(printer: Printer, nowMs: number) {
  const { id, siteId, name, kind, address, paper, layout, copies, hasCutter, jobMinutes, seenAtMs } = printer;
  const { state, sinceMs, words } = stateNow(printer, nowMs);
  return {
    id,
    site: siteId,
    name,
    kind: sayKnown(kind),
    address,
    paper: paper === UNKNOWN ? NOT_KNOWN_HERE : paper,
    layout: sayKnown(layout),
    copies,
    cutter: hasCutter,
    job_minutes: jobMinutes,
    state: sayKnown(state),
    since: toTime(sinceMs),
    message: words,
    seen_at: toTime(seenAtMs),
  };
}

const test: Command = {
  name: 'printers test',
  summary: 'Print a test page, and wait up to 30 seconds for the result.',
  usage: '<id>',
  help: 'The service must be running: it prints the page. If the page is not printed in time, it waits until the time limit of the printer.',
  positionals: ['id'],
  prints: true,
  async run(args, { withInstallation }) {
    const { job, printer, nowMs } = await withInstallation(async (installation) => {
      const before = await findPrinter(installation, args);
      if (before.kind === UNKNOWN)
        throw new CommandFailed(`printer ${before.id} is ${NOT_KNOWN_HERE}: upgrade this instance`);
      if ((await installation.instances.listLiving()).length === 0)
        throw new CommandFailed('the service prints the page, but it is not running: start it first');
      const id = await installation.printJobs.addTest(before, auditContext(installation));
      const job = await untilFinished(installation, id);
      return {
        job,
        printer: (await installation.printers.find(before.id)) ?? before,
        nowMs: installation.clock.nowMs(),
      };
    });
    const now = stateNow(printer, nowMs);
    const advice = adviseOnPrinter(printer, now);
    const words = job?.lastError ?? now.words;
    const state = job?.state ?? 'cancelled';
    if (args.has('json'))
      printJson({
        job: job?.id ?? null,
        state,
        confirmed: job?.isConfirmed ?? false,
        message: words,
        advice,
      });
    const said = printersEn.tested[state === 'printed' && !job?.isConfirmed ? 'sent' : state];
    if (state !== 'printed')
      throw new CommandFailed(
        said,
        ...(words === null ? [] : [`  ${printersEn.said} ${words}`]),
        ...(advice ? [`  ${printersEn.advice[advice]}`] : []),
      );
    if (!args.has('json')) print(said);
  },
};

/** The job as it is after PATIENCE_MS at the latest. Undefined if it no longer exists. */
async function untilFinished(
  { printJobs }: Installation,
  id: MessageId,
): Promise<LoggedPrintJob | undefined> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const [job] = await printJobs.search({ id, limit: 1 });
    if (!job || !isOpen(job) || signal.aborted) return job;
    await sleep(LOOKED_EVERY_MS);
  }
}

const remove: Command = {
  name: 'printers remove',
  summary: 'Remove a printer and cancel its waiting jobs.',
  usage: '<id>',
  positionals: ['id'],
  async run(args, { withInstallation }) {
    const id = printerIdFrom(args);
    const removed = await withInstallation(({ printers, clock }) =>
      printers.remove(id, auditContext({ clock })),
    );
    if (!removed) throw noSuchPrinter(id);
  },
};

export const printerCommands = [add, list, test, remove];
