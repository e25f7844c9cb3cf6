// The messages of Epson Server Direct Print. See the manual M00062910 of Seiko Epson.

import { asMessageId, type MessageId } from '../../../kernel/ids.ts';
import { toOneLine } from '../../../platform/text/one-line.ts';
import type { JobReport, PrinterReport } from '../polled-jobs.ts';
import type { PrinterState } from '../printer.ts';
import { readTags, type Tag } from './xml-tags.ts';

/** `poll`: the printer asks for work. `result`: what became of a job. `status`: the state of the printer. */
export type Request =
  | { kind: 'poll' }
  | { kind: 'result'; job: MessageId | undefined; report: JobReport; printer: PrinterReport | undefined }
  | { kind: 'status'; printer: PrinterReport | undefined };

/** Undefined if the body is no request of a printer. */
export function readRequest(body: Buffer): Request | undefined {
  const fields = new URLSearchParams(body.toString('utf8'));
  switch (fields.get('ConnectionType')) {
    case 'GetRequest':
      return { kind: 'poll' };
    case 'SetResponse':
      return readResult(readTags(fields.get('ResponseFile') ?? ''));
    case 'SetStatus':
      return readStatus(readTags(fields.get('Status') ?? ''));
    default:
      return undefined;
  }
}

function readResult(tags: Tag[] | undefined): Request | undefined {
  const response = tags?.find(({ name, attributes }) => name === 'response' && 'success' in attributes);
  const job = readId(tags?.find(({ name }) => name === 'printjobid')?.text);
  if (response) return { kind: 'result', job, ...readResponse(response.attributes) };
  const refusal = tags?.find(({ name, attributes }) => name === 'Response' && 'Success' in attributes);
  if (!tags || !refusal || isTrue(refusal.attributes.Success)) return undefined;
  const summary = toOneLine(tags.find(({ name }) => name === 'ErrorSummary')?.text ?? '');
  const fate = summary === 'Invalid printer settings' ? 'later' : 'refused';
  return { kind: 'result', job, report: { fate, status: null, words: summary }, printer: undefined };
}

/** Undefined for printers that name no job. They get one job at a time. */
function readId(text = ''): MessageId | undefined {
  return /^[1-9]\d{0,14}$/.test(text.trim()) ? asMessageId(Number(text)) : undefined;
}

/**
 * What the code of a result means for the job:
 *
 * | code                             | meaning                                            | printed? |
 * | -------------------------------- | -------------------------------------------------- | -------- |
 * | (success)                        | printed                                            | yes      |
 * | SchemaError                      | the document is not understood                     | no       |
 * | DeviceNotFound                   | no printing unit of this name: set up wrongly      | no       |
 * | EX_SPOOLER                       | no room for the job                                | no       |
 * | EPTR_REC_EMPTY, EPTR_COVER_OPEN  | no paper, cover open: perhaps half-way             | unclear  |
 * | EPTR_MECHANICAL, EPTR_CUTTER,    | jam, cutter, overheated: perhaps half-way          | unclear  |
 * | EPTR_AUTOMATICAL, EPTR_UNRECO…   |                                                    |          |
 * | EX_BADPORT, EX_TIMEOUT,          | connection to the printing unit: perhaps half-way  | unclear  |
 * | PrintSystemError                 |                                                    |          |
 * | anything else                    | a code of another release                          | unclear  |
 *
 * Of those that printed nothing, a document that is not understood fails every time.
 */
const FATES: Record<string, JobReport['fate']> = {
  SchemaError: 'refused',
  DeviceNotFound: 'later',
  EX_SPOOLER: 'later',
};
const STATES: Record<string, PrinterState> = { EPTR_REC_EMPTY: 'paper-out', EPTR_COVER_OPEN: 'cover-open' };

function readResponse({ success, code = '', status }: Tag['attributes']) {
  if (isTrue(success))
    return {
      report: { fate: 'printed', status: null, words: null },
      printer: { state: 'ready', words: null },
    } satisfies { report: JobReport; printer: PrinterReport };
  const words = toOneLine(code);
  const state = Object.hasOwn(STATES, code) ? STATES[code] : undefined;
  const report: JobReport = {
    fate: (Object.hasOwn(FATES, code) ? FATES[code] : undefined) ?? 'unclear',
    status: null,
    words,
  };
  return { report, printer: state ? { state, words } : readAsb(status) };
}

function readStatus(tags: Tag[] | undefined): Request | undefined {
  const own = tags?.find(
    ({ name, attributes }) => name === 'printerstatus' && attributes.devicename === 'local_printer',
  );
  return tags && { kind: 'status', printer: readAsb(own?.attributes.asbstatus) };
}

/** The bits of the status that printers of Epson send, with the state that they mean. The first that is set counts. */
const ASB_STATES: [number, PrinterState][] = [
  [0x0008_0000, 'paper-out'],
  [0x0000_0020, 'cover-open'],
  // No connection to the printing unit, a mechanical error, the cutter, an error that stays or passes, offline.
  [0x0000_6c09, 'fault'],
];

function readAsb(text = ''): PrinterReport | undefined {
  if (!/^(\d{1,10}|0x[\da-f]{1,8})$/i.test(text)) return undefined;
  const bits = Number(text);
  const [, state = 'ready'] = ASB_STATES.find(([mask]) => (bits & mask) !== 0) ?? [];
  return { state, words: state === 'ready' ? null : `ASB 0x${bits.toString(16).padStart(8, '0')}` };
}

function isTrue(value: string | undefined): boolean {
  return value === 'true' || value === '1';
}
