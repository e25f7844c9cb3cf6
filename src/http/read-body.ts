// Reads a request's body as bytes, up to the limit. What lies beyond it is not kept.

import type { IncomingMessage } from 'node:http';
import { fail, ok, type Result } from '../domain/result.ts';

/** Unless whoever asks for it takes more. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** The connection ended before the body did: there is nobody left to answer. */
export class CallerGone extends Error {}

export async function readBody(
  message: IncomingMessage,
  maxBytes = BODY_LIMIT_BYTES,
): Promise<Result<Buffer, { kind: 'body-too-large' }>> {
  if (Number(message.headers['content-length'] ?? 0) > maxBytes) return fail({ kind: 'body-too-large' });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      if (bytes > maxBytes) break;
      chunks.push(chunk);
    }
  } catch (error) {
    throw new CallerGone('the caller went away before the request was complete', { cause: error });
  }
  if (bytes <= maxBytes) return ok(Buffer.concat(chunks));
  // The rest is read and dropped, so that the connection can be used again.
  message.resume();
  return fail({ kind: 'body-too-large' });
}
