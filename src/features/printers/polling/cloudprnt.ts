// The messages of Star CloudPRNT. See the protocol guide 2.4 of Star Micronics.

import * as v from 'valibot';
import type { MessageId } from '../../../kernel/ids.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import type { JobReport, PrinterReport } from '../polled-jobs.ts';
import type { PrinterState } from '../printer.ts';

export const MEDIA_TYPE = 'image/png';

const POLL = v.object({
  statusCode: v.string(),
  printingInProgress: v.optional(v.nullable(v.boolean())),
});

export interface Poll {
  report: PrinterReport;
  /** Newer printers also poll while they print. Such a poll asks for nothing. */
  isPrinting: boolean;
}

/** Undefined if the body is not a poll. */
export function readPoll(body: Buffer): Poll | undefined {
  const read = v.safeParse(POLL, parseJson(body));
  if (!read.success) return undefined;
  const { statusCode, printingInProgress } = read.output;
  const { code, words } = readCode(statusCode);
  if (code === null) return undefined;
  const state = stateOf(code);
  return {
    report: { state, words: state === 'ready' ? null : words },
    isPrinting: printingInProgress === true,
  };
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** All codes that begin with 2 mean that the printer can print. Codes such as 211 also warn of little paper. */
function stateOf(code: number): PrinterState {
  if (code >= 200 && code < 300) return 'ready';
  if (code === 410) return 'paper-out';
  return code >= 420 && code < 430 ? 'cover-open' : 'fault';
}

export function writeOffer(job: MessageId | undefined): unknown {
  if (job === undefined) return { jobReady: false };
  return { jobReady: true, mediaTypes: [MEDIA_TYPE], jobToken: String(job), deleteMethod: 'DELETE' };
}

/**
 * What the code of a confirmation means for the job:
 *
 * | code          | meaning                                   | printed? |
 * | ------------- | ----------------------------------------- | -------- |
 * | 2xx, OK       | printed                                   | yes      |
 * | 4xx           | paper, jam, cover: perhaps half-way       | unclear  |
 * | 510, 512      | media type or its version not supported   | no       |
 * | 511           | not decoded: perhaps found out half-way   | unclear  |
 * | 520           | not downloaded in time, or refused by us  | no       |
 * | 521           | too large                                 | no       |
 * | anything else | a code of another release                 | unclear  |
 *
 * Only a job that was not downloaded may succeed later.
 */
export function readConfirmation(text: string): JobReport {
  const { code: status, words } = readCode(text);
  if (status !== null && status >= 200 && status < 300) return { fate: 'printed', status, words };
  if (status === 520) return { fate: 'later', status, words };
  const isRefused = status === 510 || status === 512 || status === 521;
  return { fate: isRefused ? 'refused' : 'unclear', status, words };
}

/** A code such as `200 OK`. It may be percent-encoded once more, and the words are for people. */
function readCode(text: string): { code: number | null; words: string } {
  const words = toOneLine(decode(text));
  if (words === 'OK') return { code: 200, words };
  const [, digits] = /^(\d{3})(?!\d)/.exec(words) ?? [];
  return { code: digits === undefined ? null : Number(digits), words };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
