// Reads ESC/POS byte by byte and moves the mechanism. Commands that it does not know are reported and skipped.

import type { Mechanism } from '../mechanism.ts';

const NUL = 0x00;
const LF = 0x0a;
const CR = 0x0d;
const DLE = 0x10;
const ESC = 0x1b;
const GS = 0x1d;
const SPACE = 0x20;
const EOT = 0x04;
/** The distance of lines after ESC @, in dots: 1/6 inch. */
const LINE_DOTS = 30;
/** The paper between the print head and the cutter, in dots. `GS V` with a feed brings the last row there first. */
const CUTTER_DOTS = 100;
/** The margins of `ESC a`: left, centred and right. */
const LEFT = 0;
const ALIGNMENTS = [LEFT, 0.5, 1];

/** Waits for the next byte. */
type Reader<Result> = Generator<undefined, Result, number>;

/** Call `next` with each byte, after one call without. `respond` sends a byte back to the sender of the command. */
export function* interpret(mechanism: Mechanism, respond: (byte: number) => void): Reader<never> {
  // Text is not drawn, but reported. It ends at the next control character.
  let text: number[] = [];
  for (;;) {
    const byte = yield;
    if (byte >= SPACE) {
      text.push(byte);
      continue;
    }
    if (text.length > 0) mechanism.report(`text that is not drawn: ${hex(text)}`);
    text = [];
    if (byte === LF) mechanism.feed(LINE_DOTS);
    else if (byte === ESC) yield* readEscape(mechanism);
    else if (byte === GS) yield* readGroup(mechanism, respond);
    else if (byte === DLE) yield* readDataLink(mechanism);
    else if (byte !== CR && byte !== NUL) reportUnknown(mechanism, byte);
  }
}

function* readEscape(mechanism: Mechanism): Reader<void> {
  const command = yield;
  switch (String.fromCharCode(command)) {
    case '@':
      return mechanism.align(LEFT);
    case 'a':
      return mechanism.align(ALIGNMENTS[(yield) % 0x30] ?? LEFT);
    case 'd':
      return mechanism.feed((yield) * LINE_DOTS);
    case 'J':
      return mechanism.feed(yield);
    default:
      return reportUnknown(mechanism, ESC, command);
  }
}

function* readGroup(mechanism: Mechanism, respond: (byte: number) => void): Reader<void> {
  const command = yield;
  switch (String.fromCharCode(command)) {
    case 'v':
      return yield* readRaster(mechanism);
    case 'V':
      return yield* readCut(mechanism);
    case 'r':
      return yield* readStatusRequest(mechanism, respond);
    default:
      return reportUnknown(mechanism, GS, command);
  }
}

/** DLE EOT was answered when it arrived, so it is only skipped here. */
function* readDataLink(mechanism: Mechanism): Reader<void> {
  const command = yield;
  if (command !== EOT) return reportUnknown(mechanism, DLE, command);
  yield;
}

/** GS v 0 m xL xH yL yH d1…dk: a picture of x bytes by y rows. m doubles the width (1), the height (2) or both (3). */
function* readRaster(mechanism: Mechanism): Reader<void> {
  const zero = yield;
  if (zero !== 0x30) return reportUnknown(mechanism, GS, 0x76, zero);
  const mode = (yield) % 0x30;
  if (mode > 3) return reportUnknown(mechanism, GS, 0x76, zero, mode);
  const bytes = (yield) + (yield) * 256;
  const rows = (yield) + (yield) * 256;
  for (let y = 0; y < rows; y++) {
    const row = new Uint8Array(bytes);
    for (let x = 0; x < bytes; x++) row[x] = yield;
    const printed = mode % 2 === 1 ? doubleWidth(row) : row;
    mechanism.printRow(printed);
    if (mode >= 2) mechanism.printRow(printed);
  }
}

function doubleWidth(row: Uint8Array): Uint8Array {
  const twice = new Uint8Array(row.length * 2);
  for (let x = 0; x < row.length * 8; x++) {
    const isBlack = (row[x >> 3] ?? 0) & (0x80 >> (x & 7));
    if (isBlack) twice[x >> 2] = (twice[x >> 2] ?? 0) | (0xc0 >> ((x & 3) * 2));
  }
  return twice;
}

/** GS V m: a cut at once (0, 1), or GS V m n: a cut after a feed to the cutter and n dots further (65, 66). */
function* readCut(mechanism: Mechanism): Reader<void> {
  const mode = yield;
  if (mode === 65 || mode === 66) mechanism.feed((yield) + CUTTER_DOTS);
  else if (![0, 1, 48, 49].includes(mode)) return reportUnknown(mechanism, GS, 0x56, mode);
  mechanism.eject('cut');
}

/** GS r n is executed in its turn, and so tells that everything before it was printed. */
function* readStatusRequest(mechanism: Mechanism, respond: (byte: number) => void): Reader<void> {
  const type = yield;
  if (![1, 2, 49, 50].includes(type)) return reportUnknown(mechanism, GS, 0x72, type);
  respond(0);
}

function reportUnknown(mechanism: Mechanism, ...bytes: number[]): void {
  mechanism.report(`unknown command: ${hex(bytes)}`);
}

function hex(bytes: number[]): string {
  return Buffer.from(bytes).toString('hex');
}
