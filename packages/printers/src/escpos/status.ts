// The answers to DLE EOT n: one byte each, of which bits 1 and 4 are always set.

import type { Mechanism } from '../mechanism.ts';

const FIXED = 0x12;
const OFFLINE = 0x08;
const COVER_OPEN = 0x04;
const STOPPED_WITHOUT_PAPER = 0x20;
const PAPER_END = 0x60;
const PAPER_NEAR_END = 0x0c;

export function statusByte(mechanism: Mechanism, type: number): number {
  const isLying = mechanism.faults.has('reports-ready');
  const hasPaper = mechanism.hasPaper() || isLying;
  const isCoverOpen = mechanism.isCoverOpen() && !isLying;
  switch (type) {
    case 1:
      return FIXED | (hasPaper && !isCoverOpen ? 0 : OFFLINE);
    case 2:
      return FIXED | (isCoverOpen ? COVER_OPEN : 0) | (hasPaper ? 0 : STOPPED_WITHOUT_PAPER);
    case 3:
      return FIXED; // No error of the cutter or of the head is simulated.
    default:
      return FIXED | (hasPaper ? 0 : PAPER_END | PAPER_NEAR_END);
  }
}

/**
 * Finds DLE EOT 1 to 4 as the bytes arrive, even in the middle of a picture: the printer reads them before it knows
 * what they belong to.
 */
export function makeStatusWatch(found: (type: number) => void): (byte: number) => void {
  let last = -1;
  let beforeLast = -1;
  return (byte) => {
    if (beforeLast === 0x10 && last === 0x04 && byte >= 1 && byte <= 4) found(byte);
    beforeLast = last;
    last = byte;
  };
}
