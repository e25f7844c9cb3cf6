// A client of Epson Server Direct Print: it asks by POST with a form, the answer carries the jobs, and a second POST
// reports what became of them.

import { rowsOf } from '../bitmap.ts';
import type { Mechanism } from '../mechanism.ts';
import {
  type PollingOptions,
  type PollingPrinter,
  type Send,
  startPolling,
} from '../polling/polling-printer.ts';
import { type Command, type Job, type PrintRequest, readPrintRequest } from './print-request.ts';
import { type JobResult, STATUS, writeRefusal, writeResponse } from './print-response.ts';

const DEVICE = 'local_printer';
const MAX_BYTES = 2 * 1024 * 1024;

export interface EpsonOptions extends PollingOptions {
  /** The ID of the printer's settings; empty unless set. */
  id?: string;
}

export function startEpsonPrinter(options: EpsonOptions): PollingPrinter {
  const ask = (send: Send, form: Record<string, string>, getsJob: boolean) =>
    send({
      method: 'POST',
      url: new URL(options.url),
      contentType: 'application/x-www-form-urlencoded',
      body: new URLSearchParams(form).toString(),
      getsJob,
    });

  async function turn(mechanism: Mechanism, send: Send): Promise<void> {
    const form = { ConnectionType: 'GetRequest', ID: options.id ?? '' };
    const { status, body } = await ask(send, form, true);
    if (status !== 200) return mechanism.report(`poll: ${status}`);
    if (body.length === 0) return;
    const result = printAll(mechanism, body);
    if (mechanism.faults.has('forgets-to-confirm')) return;
    const report = { ConnectionType: 'SetResponse', ID: options.id ?? '', ResponseFile: result.file };
    const confirmed = await ask(send, report, false);
    mechanism.report(`confirmed with ${result.summary}: ${confirmed.status}`);
  }

  return startPolling('epson', options, async (mechanism, send) => {
    const count = mechanism.faults.has('polls-twice') ? 2 : 1;
    await Promise.all(Array.from({ length: count }, () => turn(mechanism, send)));
  });
}

function printAll(mechanism: Mechanism, body: Buffer): { file: string; summary: string } {
  let request: PrintRequest;
  try {
    if (body.length > MAX_BYTES) throw new Error('too long');
    request = readPrintRequest(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    mechanism.report(`cannot read the job: ${detail}`);
    return { file: writeRefusal(detail), summary: 'a refusal' };
  }
  const results = request.jobs.map((job) => printJob(mechanism, job));
  const summary = results.map(({ code }) => code || 'success').join(', ');
  return { file: writeResponse(request.version, results), summary };
}

function printJob(mechanism: Mechanism, { devid, printjobid, commands }: Job): JobResult {
  const result = (code: string, status: number) => ({ devid, printjobid, isPrinted: !code, code, status });
  if (devid !== DEVICE) return result('DeviceNotFound', STATUS.offline);
  if (typeof commands === 'string') {
    mechanism.report(`cannot read the job: ${commands}`);
    return result('SchemaError', 0);
  }
  for (const command of commands) if (mechanism.canPrint()) perform(mechanism, command);
  const trouble = findTrouble(mechanism);
  mechanism.eject('uncut');
  return trouble ? result(trouble.code, trouble.status) : result('', STATUS.printed);
}

function perform(mechanism: Mechanism, command: Command): void {
  if (command.kind === 'cut') mechanism.eject('cut');
  else if (command.kind === 'feed') mechanism.feed(command.rows);
  else if (command.kind === 'unknown') mechanism.report(`unknown element: ${command.name}`);
  else for (const row of rowsOf(command.picture)) if (mechanism.canPrint()) mechanism.printRow(row);
}

function findTrouble(mechanism: Mechanism): { code: string; status: number } | undefined {
  if (mechanism.isCoverOpen()) return { code: 'EPTR_COVER_OPEN', status: STATUS.offline | STATUS.coverOpen };
  const noPaper = STATUS.offline | STATUS.nearEnd | STATUS.paperEnd;
  return mechanism.hasPaper() ? undefined : { code: 'EPTR_REC_EMPTY', status: noPaper };
}
