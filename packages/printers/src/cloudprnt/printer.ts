// A client of Star CloudPRNT, version HTTP: it polls by POST, gets the job by GET and confirms it by DELETE.

import { type Bitmap, rowsOf } from '../bitmap.ts';
import type { Mechanism } from '../mechanism.ts';
import { decodePng } from '../png/decode.ts';
import type { Incoming } from '../polling/exchange.ts';
import {
  type PollingOptions,
  type PollingPrinter,
  type Send,
  startPolling,
} from '../polling/polling-printer.ts';
import { performAction } from './client-action.ts';
import { type PollResponse, readPollResponse } from './poll-response.ts';

const MEDIA_TYPE = 'image/png';
const OK = '200 OK';

export interface CloudPrntOptions extends PollingOptions {
  /** 00:11:62:00:00:01 unless set. */
  mac?: string;
}

export function startCloudPrntPrinter(options: CloudPrntOptions): PollingPrinter {
  const mac = options.mac ?? '00:11:62:00:00:01';
  const state = { mac, intervalS: Math.ceil((options.everyMs ?? 0) / 1000), uniqueId: '' };
  let results: { request: string; result: string }[] = [];

  async function poll(mechanism: Mechanism, send: Send): Promise<PollResponse | undefined> {
    const body = {
      statusCode: encodeURIComponent(statusCode(mechanism)),
      printerMAC: mac,
      uniqueID: state.uniqueId || null,
      printingInProgress: false,
      clientAction: results.length > 0 ? results : null,
    };
    const url = new URL(options.url);
    const request = { method: 'POST', url, contentType: 'application/json', body: JSON.stringify(body) };
    const response = await send(request);
    return readPollResponse(response, mechanism.report);
  }

  /** The address with the parameters that GET and DELETE share. */
  function jobUrl({ jobToken }: PollResponse, extra: Record<string, string>): URL {
    const url = new URL(options.url);
    if (state.uniqueId) url.searchParams.set('uid', state.uniqueId);
    url.searchParams.set('mac', mac);
    if (jobToken !== undefined) url.searchParams.set('token', jobToken);
    for (const [name, value] of Object.entries(extra)) url.searchParams.set(name, value);
    // The manual writes spaces as %20, not as a plus sign.
    url.search = url.search.replaceAll('+', '%20');
    return url;
  }

  async function confirm(mechanism: Mechanism, send: Send, offer: PollResponse, code: string): Promise<void> {
    if (mechanism.faults.has('forgets-to-confirm')) return;
    const isGet = offer.deleteMethod === 'GET';
    const url = jobUrl(offer, { code, ...(isGet && { delete: '' }) });
    const { status } = await send({ method: isGet ? 'GET' : 'DELETE', url });
    mechanism.report(`confirmed with ${code}: ${status}`);
  }

  /** Returns the code to confirm with; undefined if the printer cannot tell, because it stopped half-way. */
  async function printJob(
    mechanism: Mechanism,
    send: Send,
    offer: PollResponse,
  ): Promise<string | undefined> {
    if (!offer.mediaTypes.includes(MEDIA_TYPE)) return '510 Incompatible media type';
    const request = { method: 'GET', url: jobUrl(offer, { type: MEDIA_TYPE }), getsJob: true };
    let response = await send(request);
    if (mechanism.faults.has('asks-twice')) response = await send(request);
    if (response.status !== 200) {
      mechanism.report(`job: ${response.status}`);
      return '520 Download failed';
    }
    const picture = decode(response.body, mechanism.report);
    if (!picture) return '511 Media decoding error';
    return print(mechanism, picture, response) ? OK : undefined;
  }

  return startPolling('cloudprnt', options, async (mechanism, send) => {
    const count = mechanism.faults.has('polls-twice') ? 2 : 1;
    const polls = await Promise.all(Array.from({ length: count }, () => poll(mechanism, send)));
    const offer = polls.find((response) => response?.jobReady) ?? polls[0];
    results = offer?.clientAction.map((action) => performAction(action, state)) ?? [];
    // An offline printer goes on polling, but gets no job.
    if (!offer?.jobReady || !statusCode(mechanism).startsWith('2')) return;
    const code = await printJob(mechanism, send, offer);
    if (code) await confirm(mechanism, send, offer, code);
  });
}

function statusCode(mechanism: Mechanism): string {
  if (mechanism.faults.has('reports-ready')) return OK;
  if (mechanism.isCoverOpen()) return '420 Cover open';
  return mechanism.hasPaper() ? OK : '410 Out of paper';
}

function decode(file: Buffer, report: (line: string) => void): Bitmap | undefined {
  try {
    return decodePng(file);
  } catch (error) {
    report(`cannot decode the job: ${error instanceof Error ? error.message : error}`);
    return;
  }
}

/** Cuts unless the server forbids it. False if the paper ended before the picture did. */
function print(mechanism: Mechanism, picture: Bitmap, { headers }: Incoming): boolean {
  for (const row of rowsOf(picture)) if (mechanism.canPrint()) mechanism.printRow(row);
  const isWhole = mechanism.canPrint();
  const isCut = isWhole && !String(headers['x-star-cut'] ?? '').startsWith('none');
  mechanism.eject(isCut ? 'cut' : 'uncut');
  return isWhole;
}
