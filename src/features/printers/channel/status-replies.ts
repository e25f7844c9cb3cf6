// What an ESC/POS printer says about its state. All replies are single bytes. They carry no number, but some bits tell
// what a reply belongs to.

import type { PrinterStatus } from '../printer.ts';

/** `DLE EOT n`: the printer answers at once, even if it cannot print. */
export const askNow = (about: About) => Uint8Array.of(0x10, 0x04, NUMBERS[about]);
/** `GS r 1`: the printer answers when it has done everything that it received before. */
export const ASK_IN_TURN = Uint8Array.of(0x1d, 0x72, 1);

/** The printer as a whole, the cause if it cannot print, and its paper. */
export const QUESTIONS = ['printer', 'cause', 'paper'] as const;
export type About = (typeof QUESTIONS)[number];
const NUMBERS: Record<About, number> = { printer: 1, cause: 2, paper: 4 };

/** The replies to `DLE EOT`. A printer need not answer every question. */
export type Replies = Partial<Record<About, number>>;

/** Sent unasked: XON and XOFF. */
const FLOW_CONTROL = [0x11, 0x13];
/** Sent unasked by some printers after every change: four bytes, of which only the first can be recognised. */
const AUTOMATIC_STATUS_LENGTH = 4;

export interface Reply {
  /** `foreign`: no printer says this. */
  to: 'now' | 'in-turn' | 'foreign';
  bits: number;
}

/** Returns a function that reads the next bytes. */
export function makeReadReplies(): (chunk: Uint8Array) => Reply[] {
  let leftOfAutomatic = 0;
  return (chunk) => [...chunk].flatMap(readByte);

  function readByte(bits: number): Reply[] {
    if (leftOfAutomatic > 0) {
      leftOfAutomatic--;
      return [];
    }
    if (FLOW_CONTROL.includes(bits)) return [];
    if ((bits & 0x93) === 0x12) return [{ to: 'now', bits }];
    if ((bits & 0x93) === 0x10) {
      leftOfAutomatic = AUTOMATIC_STATUS_LENGTH - 1;
      return [];
    }
    return [{ to: (bits & 0x90) === 0 ? 'in-turn' : 'foreign', bits }];
  }
}

/**
 * An open cover often hides the paper from its sensor, so the cover counts first. A printer with little paper is ready.
 */
export function toState({
  printer = 0,
  cause = 0,
  paper = 0,
}: Replies): Pick<PrinterStatus, 'state' | 'words'> {
  if (cause & 0x04) return { state: 'cover-open', words: null };
  if (cause & 0x20 || paper & 0x60) return { state: 'paper-out', words: null };
  if (cause & 0x40) return { state: 'fault', words: 'the printer reports an error' };
  if (printer & 0x08) return { state: 'fault', words: 'the printer is offline' };
  return { state: 'ready', words: null };
}
