// `gastpass simulate-printer`: runs a simulated receipt printer until SIGTERM or SIGINT, and prints a line for each
// slip and event. It needs no installation.

import { once } from 'node:events';
import { PAPERS } from '../../../packages/printers/src/bitmap.ts';
import { FAULT_KINDS, type Faults, KINDS, parseFault } from '../../../packages/printers/src/faults.ts';
import type { PrinterOptions, SimulatedPrinter } from '../../../packages/printers/src/index.ts';
import {
  type Arguments,
  type Command,
  CommandFailed,
  texts,
  WrongUsage,
} from '../../platform/cli/command.ts';
import { print } from '../../platform/cli/print.ts';

const MAX_PORT = 65_535;
const POLL_MS = 2000;

export const simulatePrinter: Command = {
  name: 'simulate-printer',
  summary: 'Run a simulated receipt printer that writes its slips as PNG files.',
  usage: `--kind ${KINDS.join('|')} [--port P | --url U] --out DIR [--paper ${PAPERS.join('|')}] [--fault F]...`,
  help: [
    'escpos listens on 127.0.0.1 and needs --port (usually 9100, 0 picks a free one). cloudprnt and epson poll an address every',
    `${POLL_MS / 1000} seconds and need --url: the one that "printers add --json" prints. Slips are slip-0001.png and so on in DIR.`,
    'Runs until SIGTERM or SIGINT. Faults, which can be given several times:',
    ...Object.entries(FAULT_KINDS).map(([name, fault]) => {
      return `  ${('unit' in fault ? `${name}=N` : name).padEnd(25)}${fault.meaning}`;
    }),
  ].join('\n'),
  options: { ...texts('kind', 'port', 'url', 'out', 'paper'), fault: { type: 'string', multiple: true } },
  prints: true,
  async run(args) {
    const say = makeSay(args);
    const { printer, facts } = await start(args, {
      out: args.required('out'),
      paper: PAPERS.find((mm) => String(mm) === args.choice('paper', PAPERS.map(String))) ?? 80,
      faults: readFaults(args),
      onEvent: (event) => say(event, { event }),
    });
    const where = 'port' in facts ? `listens on 127.0.0.1:${facts.port}` : `polls ${facts.url}`;
    say(`A simulated printer (${facts.kind}) ${where}`, facts);
    await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
    await printer.stop();
  },
};

/** Every line is a text to read or, with `--json`, an object. */
function makeSay(args: Arguments): (line: string, value: object) => void {
  return args.has('json') ? (_, value) => print(JSON.stringify(value)) : (line) => print(line);
}

function readFaults(args: Arguments): Faults {
  try {
    return Object.fromEntries(args.list('fault').map((text) => Object.values(parseFault(text))));
  } catch (error) {
    if (error instanceof TypeError) throw new WrongUsage(`--fault: ${error.message}`);
    throw error;
  }
}

type Facts = { kind: string } & ({ port: number } | { url: string });

async function start(
  args: Arguments,
  options: PrinterOptions,
): Promise<{ printer: SimulatedPrinter; facts: Facts }> {
  args.required('kind');
  const kind = args.choice('kind', KINDS) ?? 'escpos';
  const address = kind === 'escpos' ? { port: readPort(args) } : { url: readUrl(args) };
  // Imported here because only this command needs the simulated printers.
  const printers = await import('../../../packages/printers/src/index.ts');
  try {
    if ('port' in address) {
      const printer = await printers.startEscPosPrinter({ ...options, ...address });
      return { printer, facts: { kind, port: printer.port } };
    }
    const startPrinter = kind === 'epson' ? printers.startEpsonPrinter : printers.startCloudPrntPrinter;
    const printer = startPrinter({ ...options, ...address, everyMs: POLL_MS });
    return { printer, facts: { kind, ...address } };
  } catch (error) {
    throw explain(error);
  }
}

function readPort(args: Arguments): number {
  if (args.has('url')) throw new WrongUsage('--url: printers of the kind escpos have a --port instead');
  args.required('port');
  return args.integer('port', MAX_PORT) ?? 0;
}

function readUrl(args: Arguments): string {
  if (args.has('port')) throw new WrongUsage('--port: only printers of the kind escpos have one');
  const url = args.required('url');
  if (!/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new WrongUsage('--url: expected an http or https address');
  return url;
}

function explain(error: unknown): unknown {
  // The faults do not suit the kind of printer.
  if (error instanceof TypeError) return new WrongUsage(`--fault: ${error.message}`);
  if (!(error instanceof Error) || !('code' in error)) return error;
  if (error.code === 'EADDRINUSE')
    return new CommandFailed('the port is taken: stop the other program or choose another');
  return new CommandFailed(error.message);
}
