// Reads a request's body as bytes, up to the limit. What lies beyond it is not kept.

import type { IncomingMessage } from 'node:http';
import { fail, ok, type Result } from '../domain/result.ts';

export const BODY_LIMIT_BYTES = 64 * 1024;

export async function readBody(
  message: IncomingMessage,
): Promise<Result<Buffer, { kind: 'body-too-large' }>> {
  if (Number(message.headers['content-length'] ?? 0) > BODY_LIMIT_BYTES)
    return fail({ kind: 'body-too-large' });
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length;
    if (bytes > BODY_LIMIT_BYTES) return fail({ kind: 'body-too-large' });
    chunks.push(chunk);
  }
  return ok(Buffer.concat(chunks));
}
