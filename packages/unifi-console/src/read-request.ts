// Reads an incoming message to its end and converts it to a `SimulatedRequest`.

import type { IncomingMessage } from 'node:http';
import type { SimulatedRequest } from './http.ts';

const MAX_BODY_BYTES = 4 * 1024 * 1024;

/** Undefined if the caller disconnected, or sent more than MAX_BODY_BYTES. */
export async function readRequest(message: IncomingMessage): Promise<SimulatedRequest | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message) {
      bytes += chunk.length;
      if (bytes > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
  } catch {
    return undefined;
  }
  // Some clients send UTF-8 in the URL without encoding it. Node returns each byte as one character, so decode it here.
  const target = Buffer.from(message.url ?? '/', 'latin1').toString('utf8');
  const mark = target.indexOf('?');
  return {
    method: message.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1)),
    headers: message.headers,
    body: Buffer.concat(chunks).toString('utf8'),
  };
}
