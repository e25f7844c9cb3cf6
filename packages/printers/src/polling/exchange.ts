// One HTTP request of a polling printer.

import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultSet } from '../faults.ts';
import { PowerLost } from '../mechanism.ts';

const PORTIONS_PER_SECOND = 20;

export interface Outgoing {
  method: string;
  url: URL;
  contentType?: string;
  body?: string;
  /** The response carries a job: the faults of reading apply. */
  getsJob?: boolean;
  signal: AbortSignal;
}

export interface Incoming {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/**
 * Every request has a connection of its own. Slow printers, and those that die half-way, do so while they read a job.
 */
export async function exchange(outgoing: Outgoing, faults: FaultSet): Promise<Incoming> {
  const { method, url, contentType, body, getsJob, signal } = outgoing;
  const send = url.protocol === 'https:' ? requestHttps : requestHttp;
  const request = send(url, {
    method,
    signal,
    agent: false,
    headers: { connection: 'close', ...(contentType && { 'content-type': contentType }) },
  });
  request.end(body);
  const [response]: IncomingMessage[] = await once(request, 'response');
  if (!response) throw new Error('no response');
  const read = getsJob ? readJob(response, faults) : response.toArray();
  return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(await read) };
}

async function readJob(response: IncomingMessage, faults: FaultSet): Promise<Buffer[]> {
  const parts: Buffer[] = [];
  let left = faults.number('dies-after-bytes');
  for await (const chunk of response)
    for (let rest: Buffer = chunk; rest.length > 0; ) {
      const portion = Math.ceil(faults.number('slow') / PORTIONS_PER_SECOND);
      const part = rest.subarray(0, Math.min(portion, left));
      parts.push(part);
      rest = rest.subarray(part.length);
      left -= part.length;
      if (left === 0) {
        response.destroy();
        throw new PowerLost();
      }
      if (faults.has('slow')) await sleep(1000 / PORTIONS_PER_SECOND);
    }
  return parts;
}
