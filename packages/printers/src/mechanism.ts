// What all simulated printers have in common: the paper, the slips that came out, the sensors, and a log of events.

import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Bitmap, PAPER_DOTS, type Paper } from './bitmap.ts';
import { type FaultName, type FaultSet, type Faults, makeFaults, type PrinterKind } from './faults.ts';
import { encodePng } from './png/encode.ts';

/** How a slip ended: with a cut, at the end of the job without a cut, or because the printer lost power. */
export type Ending = 'cut' | 'uncut' | 'power-lost';

export interface Slip extends Bitmap {
  number: number;
  ending: Ending;
  /** Where the picture was written; undefined without a folder. */
  file?: string;
}

export interface PrinterOptions {
  /** The folder for `slip-0001.png` and so on. Without it, slips are only kept in memory. */
  out?: string;
  /** 80 mm unless set. */
  paper?: Paper;
  faults?: Faults;
  onEvent?(line: string): void;
}

/** The part that is the same for printers of all kinds. */
export interface SimulatedPrinter {
  /** All slips since the start, the oldest first. */
  slips: Slip[];
  /** What happened, a line each. */
  events: string[];
  setFault(name: FaultName, value?: number | boolean): void;
  stop(): Promise<void>;
}

/** Thrown when the printer loses power in the middle of a job. */
export class PowerLost extends Error {}

export interface Mechanism {
  slips: Slip[];
  events: string[];
  faults: FaultSet;
  /** The printable width in dots. */
  width: number;
  hasPaper(): boolean;
  isCoverOpen(): boolean;
  canPrint(): boolean;
  /** The share of the margin that is left of a picture that is narrower than the paper. */
  align(share: number): void;
  /** Dots beyond the width of the paper are lost. */
  printRow(row: Uint8Array): void;
  feed(rows: number): void;
  /** Ends the slip, if there is one. */
  eject(ending: Ending): void;
  report(line: string): void;
}

export function makeMechanism(kind: PrinterKind, options: PrinterOptions): Mechanism {
  const width = PAPER_DOTS[options.paper ?? 80];
  const faults = makeFaults(kind, options.faults);
  const slips: Slip[] = [];
  const events: string[] = [];
  const numberOfFirst = options.out === undefined ? 1 : prepareFolder(options.out);
  let rows: Uint8Array[] = [];
  let isPrinted = false;
  let leftShare = 0;

  function report(line: string): void {
    events.push(line);
    options.onEvent?.(line);
  }

  function advance(row: Uint8Array): void {
    rows.push(row);
    if (rows.length >= faults.number('dies-after-rows')) throw new PowerLost();
    if (rows.length >= faults.number('paper-ends-after-rows') && !faults.has('paper-out')) {
      faults.set('paper-out', true);
      report('the paper has ended');
    }
  }

  const hasPaper = () => !faults.has('paper-out');
  const isCoverOpen = () => faults.has('cover-open');
  return {
    slips,
    events,
    faults,
    width,
    hasPaper,
    isCoverOpen,
    canPrint: () => hasPaper() && !isCoverOpen(),
    align(share) {
      leftShare = share;
    },
    printRow(row) {
      isPrinted = true;
      const printed = new Uint8Array(width / 8);
      const bytes = row.subarray(0, printed.length);
      printed.set(bytes, Math.floor((printed.length - bytes.length) * leftShare));
      advance(printed);
    },
    feed(count) {
      for (let n = 0; n < count; n++) advance(new Uint8Array(width / 8));
    },
    eject(ending) {
      const picture = { width, height: rows.length, bits: new Uint8Array(Buffer.concat(rows)) };
      const isSlip = isPrinted && !faults.has('prints-nothing');
      rows = [];
      isPrinted = false;
      if (!isSlip) return;
      const slip: Slip = { ...picture, ending, number: numberOfFirst + slips.length };
      if (options.out !== undefined) slip.file = writeSlip(options.out, slip);
      slips.push(slip);
      report(
        `slip ${slip.number}: ${slip.width} × ${slip.height} dots, ${ending}${slip.file ? `, ${slip.file}` : ''}`,
      );
    },
    report,
  };
}

/** Makes the folder and returns the number after the highest one in it. */
function prepareFolder(folder: string): number {
  mkdirSync(folder, { recursive: true });
  const numbers = readdirSync(folder).map((name) => Number(/^slip-(\d+)\.png$/.exec(name)?.[1] ?? 0));
  return Math.max(0, ...numbers) + 1;
}

function writeSlip(folder: string, slip: Slip): string {
  const file = join(folder, `slip-${String(slip.number).padStart(4, '0')}.png`);
  writeFileSync(file, encodePng(slip));
  return file;
}
