// The fetch of all calls to the provider: reads a response up to a limit and follows no redirect.

import type { CustomFetchOptions } from 'openid-client';

/** Key sets of large providers have about 20 kB. */
const MAX_RESPONSE_BYTES = 512 * 1024;

export class ResponseTooLarge extends Error {
  constructor() {
    super(`the response has more than ${MAX_RESPONSE_BYTES} bytes`);
    this.name = 'ResponseTooLarge';
  }
}

export async function boundedFetch(url: string, options: CustomFetchOptions): Promise<Response> {
  const { body: sent = null, signal, ...rest } = options;
  const response = await fetch(url, { ...rest, body: sent, redirect: 'manual', signal: signal ?? null });
  const { status, statusText, headers } = response;
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of response.body ?? []) {
    length += piece.length;
    // Leaving the loop cancels the rest of the response.
    if (length > MAX_RESPONSE_BYTES) throw new ResponseTooLarge();
    pieces.push(piece);
  }
  // These statuses allow no body.
  const isEmpty = status === 204 || status === 205 || status === 304;
  return new Response(isEmpty ? null : Buffer.concat(pieces), { status, statusText, headers });
}
