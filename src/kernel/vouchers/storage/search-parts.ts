// Builds and reads the search index, without the database. Each voucher has parts: every three consecutive characters
// of its code, its name and its reference. For each part, the index lists the vouchers that have the part, in blocks of
// consecutive voucher ids.

import { toCodePart } from '../voucher-search.ts';
import { simplify, withoutDate } from './sorting.ts';

export const BLOCK_SIZE = 8_192;
/** Every indexed block has a row with this part, even if all vouchers of the block were deleted. */
export const BLOCK_MARK = '';
/** If more vouchers of a block than this have a part, the part is stored as common, without a list of vouchers. */
const MAX_LISTED = BLOCK_SIZE / 32;
const COMMON = '';
const PART_LENGTH = 3;
/** At most this many parts of a text are searched, because more would hardly narrow the search. */
const MAX_PARTS = 5;

export interface PartRow {
  part: string;
  block: number;
  vouchers: string;
}

export const blockOf = (voucherId: number) => Math.floor(voucherId / BLOCK_SIZE);

/** For each part, the vouchers of one block that have the part. */
export type PartLists = Map<string, number[]>;

export const makePartLists = (): PartLists => new Map([[BLOCK_MARK, []]]);

interface IndexedVoucher {
  id: number;
  code: string;
  name: string;
  reference: string | null;
}

export function addToLists(lists: PartLists, vouchers: IndexedVoucher[]): void {
  for (const { id, code, name, reference } of vouchers) {
    const plain = simplify(withoutDate(name));
    const texts = [code.toLowerCase(), plain, withoutZeros(plain)];
    if (reference !== null) texts.push(simplify(reference));
    const parts = new Set(texts.flatMap(partsOf));
    for (const part of parts) {
      const list = lists.get(part);
      if (list) list.push(id % BLOCK_SIZE);
      else lists.set(part, [id % BLOCK_SIZE]);
    }
  }
}

export function toPartRows(block: number, lists: PartLists): PartRow[] {
  return [...lists].map(([part, list]) => ({ part, block, vouchers: writeList(list) }));
}

/**
 * The parts of a searched text, in several alternatives. A voucher can match only if it has all parts of at least one
 * alternative. Undefined if the text is too short to be found in the index.
 */
export function toWantedParts(text: string): string[][] | undefined {
  const plain = simplify(text);
  const texts = new Set([plain, toCodePart(text) ?? plain]);
  // The search also looks in the sort key of names, which pads all numbers, so that leading zeros do not matter.
  if (!/^\d+$/.test(plain)) texts.add(withoutZeros(plain));
  const alternatives = [...texts].map((one) => spread(partsOf(one)));
  return alternatives.every((parts) => parts.length > 0) ? alternatives : undefined;
}

/** The ids of vouchers in the indexed blocks that may match; undefined if all wanted parts are common in a block. */
export function findInParts(rows: PartRow[], alternatives: string[][]): number[] | undefined {
  const blocks = new Map<number, Map<string, string>>();
  for (const { part, block, vouchers } of rows) {
    const lists = blocks.get(block) ?? new Map<string, string>();
    blocks.set(block, lists.set(part, vouchers));
  }
  const ids = new Set<number>();
  for (const [block, lists] of blocks)
    for (const parts of alternatives) {
      const wanted = parts.map((part) => lists.get(part));
      if (wanted.includes(undefined)) continue;
      const [first, ...others] = wanted.filter((list) => list !== undefined && list !== COMMON).map(readList);
      if (!first) return undefined;
      for (const offset of first)
        if (others.every((list) => list.includes(offset))) ids.add(block * BLOCK_SIZE + offset);
    }
  return [...ids];
}

function partsOf(text: string): string[] {
  const characters = [...text];
  return characters
    .slice(PART_LENGTH - 1)
    .map((_, index) => characters.slice(index, index + PART_LENGTH).join(''));
}

const withoutZeros = (text: string) => text.replace(/(?<!\d)0+(?=\d)/g, '');

function spread(parts: string[]): string[] {
  const step = Math.ceil(parts.length / MAX_PARTS);
  return parts.filter((_, index) => index % step === 0);
}

function writeList(offsets: number[]): string {
  if (offsets.length > MAX_LISTED) return COMMON;
  const bytes = Buffer.alloc(2 * offsets.length);
  for (const [index, offset] of offsets.entries()) bytes.writeUInt16LE(offset, 2 * index);
  return bytes.toString('base64');
}

function readList(text = ''): number[] {
  const bytes = Buffer.from(text, 'base64');
  return Array.from({ length: bytes.length / 2 }, (_, index) => bytes.readUInt16LE(2 * index));
}
