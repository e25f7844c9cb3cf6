// Reads the body of a request as bytes, up to a limit. Bytes beyond the limit are discarded.

import type { IncomingMessage } from 'node:http';
import { fail, ok, type Result } from '../values/result.ts';

/** The default limit. */
const BODY_LIMIT_BYTES = 64 * 1024;

/** The client closed the connection before the body was complete, so no response can be sent. */
export class CallerGone extends Error {}

export interface BodyLimits {
  maxBytes?: number;
  /** True if the first bytes of a body that is too large are needed. By default, such a body is not read at all. */
  keepsStart?: boolean;
}

export interface TooLarge {
  kind: 'body-too-large';
  /** The first bytes of the body, as far as they were read. */
  start: Buffer;
}

export async function readBody(
  message: IncomingMessage,
  { maxBytes = BODY_LIMIT_BYTES, keepsStart = false }: BodyLimits = {},
): Promise<Result<Buffer, TooLarge>> {
  if (!keepsStart && Number(message.headers['content-length'] ?? 0) > maxBytes)
    return fail({ kind: 'body-too-large', start: Buffer.alloc(0) });
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of message.iterator({ destroyOnReturn: false })) {
      bytes += chunk.length;
      chunks.push(chunk);
      if (bytes > maxBytes) break;
    }
  } catch (error) {
    throw new CallerGone('the caller went away before the request was complete', { cause: error });
  }
  if (bytes <= maxBytes) return ok(Buffer.concat(chunks));
  // Read and discard the rest of the body, so that the connection can be reused.
  message.resume();
  return fail({ kind: 'body-too-large', start: Buffer.concat(chunks) });
}
