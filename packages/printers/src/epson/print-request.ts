// What a server answers to a print request: jobs of ePOS-Print XML.

import type { Bitmap } from '../bitmap.ts';
import { childOf, type Element, parseXml } from './xml.ts';

const NAMESPACE = 'http://www.epson-pos.com/schemas/2011/03/epos-print';
export const VERSIONS = ['1.00', '2.00', '3.00'];
/** The distance of lines in dots. */
const LINE_DOTS = 30;

export type Command =
  | { kind: 'image'; picture: Bitmap }
  | { kind: 'feed'; rows: number }
  | { kind: 'cut' }
  | { kind: 'unknown'; name: string };

export interface Job {
  devid: string;
  printjobid: string;
  /** A text instead of commands says why the job cannot be read. */
  commands: Command[] | string;
}

export interface PrintRequest {
  version: string;
  jobs: Job[];
}

/** Throws an Error if the document is not a print request. Jobs in it may still be wrong. */
export function readPrintRequest(source: string): PrintRequest {
  const root = parseXml(source);
  const version = root.attributes.Version ?? '1.00';
  if (root.name !== 'PrintRequestInfo') throw new Error(`the document is a ${root.name}`);
  if (!VERSIONS.includes(version)) throw new Error(`unknown version ${version}`);
  return { version, jobs: root.children.filter(({ name }) => name === 'ePOSPrint').map(readJob) };
}

function readJob(element: Element): Job {
  const parameter = childOf(element, 'Parameter');
  const textOf = (name: string) => (parameter && childOf(parameter, name)?.text.trim()) ?? '';
  return { devid: textOf('devid'), printjobid: textOf('printjobid'), commands: readCommands(element) };
}

function readCommands(element: Element): Command[] | string {
  const data = childOf(element, 'PrintData');
  const document = data && childOf(data, 'epos-print');
  if (document?.attributes.xmlns !== NAMESPACE) return 'no epos-print document of the right namespace';
  try {
    return document.children.map(readCommand);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function readCommand(element: Element): Command {
  switch (element.name) {
    case 'image':
      return { kind: 'image', picture: readImage(element) };
    case 'feed':
      return { kind: 'feed', rows: readFeed(element) };
    case 'cut':
      return { kind: 'cut' };
    default:
      return { kind: 'unknown', name: element.name };
  }
}

function readImage({ attributes, text }: Element): Bitmap {
  const { color = 'color_1', mode = 'mono', align = 'left' } = attributes;
  const width = readNumber(attributes.width, 'width');
  const height = readNumber(attributes.height, 'height');
  if (color !== 'color_1' || mode !== 'mono' || align !== 'left')
    throw new Error('only plain images are simulated');
  const bits = Buffer.from(text, 'base64');
  if (bits.length !== Math.ceil(width / 8) * height)
    throw new Error('the image has too few or too many bytes');
  return { width, height, bits };
}

/** `line` counts lines, `unit` counts dots. Without either, one line is fed. */
function readFeed({ attributes: { line, unit } }: Element): number {
  if (unit !== undefined) return readNumber(unit, 'unit');
  return (line === undefined ? 1 : readNumber(line, 'line')) * LINE_DOTS;
}

function readNumber(value: string | undefined, name: string): number {
  if (value === undefined || !/^\d{1,5}$/.test(value)) throw new Error(`${name} is not a number`);
  return Number(value);
}
